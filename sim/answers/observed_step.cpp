#include "sim/answers/observed_step.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/answers/step_answer.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/measured_job.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Excess of the measured step in standard deviations of the stack's prediction.
double deviations_off(const SimulatedStep& expected, Seconds measured) {
  const double deviation =
      std::log(expected.seconds.high / expected.seconds.low) / 2 / ninety_percent_deviations;
  return std::log(measured / expected.times.total) / deviation;
}

std::vector<std::string> notes_on(const SimulatedStep& expected, Seconds measured) {
  constexpr double surprising = 3;
  std::vector<std::string> notes{"--observed: " + job_words(expected, measured) +
                                 " is taken as measured"};
  const double off = deviations_off(expected, measured);
  if (std::abs(off) >= surprising)
    notes.push_back(fmt::format(
        "WARNING: that is {:.1f} standard deviations {} than the {} that such a job takes: {}",
        std::abs(off), off > 0 ? "longer" : "shorter", to_text(expected.times.total, 4),
        off > 0 ? "something else is slow, and other sizes are predicted as if it stayed so"
                : "another job may have been measured"));
  return notes;
}

}  // namespace

std::string job_words(const SimulatedStep& expected, Seconds measured) {
  return fmt::format("a step of {} samples of {} on {} {} in {} ({})", expected.plan.global_batch(),
                     expected.model.name, expected.plan.accelerators(), expected.cluster.name,
                     to_text(measured, 4), plan_words(expected.plan));
}

void check_ran(const SimulatedStep& expected, Seconds measured, bool does_fit,
               bool length_is_assumed) {
  const double used = expected.model_flops_utilisation() * (expected.times.total / measured);
  if (used > 1)
    throw InputError(fmt::format(
        "{} would be {:.4g} % of the peak (MFU): {}another model, batch, number of accelerators, "
        "precision or unit of time was measured",
        job_words(expected, measured), 100 * used,
        length_is_assumed ? fmt::format("samples of other than the assumed {:g} tokens "
                                        "(--sequence-length), ",
                                        expected.model.sequence_length)
                          : ""));
  if (does_fit) return;
  const std::size_t tightest = expected.tightest();
  const auto way_out = nearest_plan_that_fits(expected);
  throw InputError(fmt::format(
      "{} cannot have run: it needs {:.1f} GB of {:.1f}; state the plan that ran{}",
      job_words(expected, measured), expected.memory[tightest].total().base() / 1e9,
      expected.holder(tightest).memory.value.base() / 1e9,
      way_out ? fmt::format(" (the nearest that fits: {})", plan_words(way_out->plan)) : ""));
}

KernelProfile with_observed(const KernelProfile& stack, const StepCase& seen) {
  const Seconds measured = *seen.measured;
  const SimulatedStep expected = simulate_step(seen.model, seen.plan, seen.cluster, stack);
  check_ran(expected, measured, fits(expected));
  KernelProfile known = sharpened(stack, seen);
  MeasuredJob job = measured_job(seen, known, stack.uncertainty.discrepancy);
  job.notes = notes_on(expected, measured);
  know_job(known, std::move(job));
  return known;
}

}  // namespace answers
}  // namespace tofn
