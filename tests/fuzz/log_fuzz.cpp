// One program per format: TOFN_FITS and TOFN_READ name its functions. Without them: any log.
#include <cstddef>
#include <cstdint>

#include "sim/core/file.hpp"
#include "sim/measurements/log_format.hpp"
#include "tests/fuzz/invariants.hpp"

namespace tofn::fuzz {
namespace {

/// With hints, so that rows are reached without a name or a header that says the placement.
const LogHints hints{.collective = CollectiveKind::AllReduce, .ranks = 8, .nodes = 2};

void read(std::string_view text) {
#ifdef TOFN_READ
  check_text(text, file);
  const LogText log = cut_into_lines(text, file);
  if (TOFN_FITS(log)) check(completed(TOFN_READ(log), log, hints));
#else
  only_input_errors([&] { check(read_collective_log(text, file, hints)); });
  check(read_collective_log(text, file));
#endif
}

}  // namespace
}  // namespace tofn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  tofn::fuzz::only_input_errors([&] { tofn::fuzz::read(text); });
  return 0;
}
