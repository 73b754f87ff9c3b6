#include "tests/standin/library/refusal_by_name.hpp"

#include <cstdio>
#include <cstdlib>

namespace tofn::standin {

void refuse(const std::string& call, const std::string& why) {
  std::fprintf(stderr, "stand-in: %s: %s; tests/standin/symbols.txt lists what is emulated\n",
               call.c_str(), why.c_str());
  std::fflush(stderr);
  std::_Exit(70);  // EX_SOFTWARE of sysexits.h
}

}  // namespace tofn::standin
