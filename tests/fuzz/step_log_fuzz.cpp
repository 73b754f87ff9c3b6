// One program per format: TOFN_FITS and TOFN_READ name its functions. Without them: any log.
#include <cstddef>
#include <cstdint>

#include "sim/core/file.hpp"
#include "sim/measurements/step_format.hpp"
#include "tests/fuzz/invariants.hpp"

namespace tofn::fuzz {
namespace {

void check(const StepReading& reading) {
  require(!reading.steps.empty(), "there is a step");
  for (const MeasuredStep& step : reading.steps) {
    require(std::isfinite(step.step.base()) && step.step.base() > 0, "steps take time");
    require(std::isfinite(step.spread) && step.spread >= 0, "spreads are not negative");
    require(step.steps >= 1 && step.accelerators >= 1 && step.global_batch >= 1 &&
                step.tensor_parallel_size >= 1 && step.pipeline_parallel_size >= 1 &&
                step.context_parallel_size >= 1 && step.gradient_accumulation >= 1,
            "sizes are at least 1");
  }
}

/// With hints, so that steps are reached without a size in the log.
const StepHints hints{.accelerators = 8, .global_batch = 64};

void read(std::string_view text) {
#ifdef TOFN_READ
  check_text(text, file);
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, file);
  if (TOFN_FITS(log)) check(completed_steps(TOFN_READ(log, hints), log, hints));
#else
  only_input_errors([&] { check(read_step_log(text, file, hints)); });
  only_input_errors([&] { survey_step_log(text, file); });
  check(read_step_log(text, file));
#endif
}

}  // namespace
}  // namespace tofn::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  tofn::fuzz::only_input_errors([&] { tofn::fuzz::read(text); });
  return 0;
}
