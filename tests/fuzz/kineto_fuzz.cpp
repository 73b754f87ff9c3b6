#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/measurements/kernel_trace.hpp"
#include "tests/fuzz/invariants.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  tofn::fuzz::only_input_errors([&] {
    const tofn::TraceSummary summary = tofn::summary_of(tofn::read_kineto(text, tofn::fuzz::file));
    tofn::fuzz::require(summary.devices >= 1, "kernels run on a device");
    tofn::fuzz::require(std::isfinite(summary.span) && summary.gaps >= -1e-6 * summary.span,
                        "gaps are not negative");
    tofn::fuzz::require(summary.busy <= summary.span * (1 + 1e-6), "busy is part of the span");
  });
  return 0;
}
