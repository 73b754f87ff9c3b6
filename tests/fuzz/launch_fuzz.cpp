#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/launch/launch_file.hpp"
#include "tests/fuzz/invariants.hpp"

/// A launch file of the syntax that TOFN_FILE ends in: every setting has a key and a place.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofn;
  const std::string text(data, data + size);
  fuzz::only_input_errors(
      [&] {
        const LaunchFile read = read_launch_text(text, TOFN_FILE);
        for (const LaunchSetting& setting : read.settings)
          fuzz::require(setting.place.line > 0 && setting.place.column > 0, "it has a place");
        for (const LaunchUnknown& unknown : read.not_understood)
          fuzz::require(!unknown.reason.empty(), "it has a reason");
      },
      TOFN_FILE);
  return 0;
}
