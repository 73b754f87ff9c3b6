#include <cstddef>
#include <cstdint>

#include <sys/mman.h>
#include <unistd.h>

#include "sim/config/load_record.hpp"
#include "tests/fuzz/invariants.hpp"

/// The loader reads a file: one in memory.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const int descriptor = ::memfd_create("record", 0);
  static const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  tofn::fuzz::require(::ftruncate(descriptor, 0) == 0, "the file can be emptied");
  tofn::fuzz::require(::pwrite(descriptor, data, size, 0) == static_cast<::ssize_t>(size),
                      "the file can be written");
  tofn::fuzz::only_input_errors([] { tofn::load_record(path); }, path);
  return 0;
}
