#include "sim/calibration/determined_terms.hpp"

namespace tofn {
inline namespace calibration {
namespace {

constexpr double least_batch_ratio = 1.5;

}  // namespace

std::string profile_of(const Observation& seen) {
  return seen.step_error ? seen.origin : std::string();
}

bool batches_differ(const Observation& a, const Observation& b) {
  return profile_of(a) == profile_of(b) &&
         a.run.settings.software_release == b.run.settings.software_release &&
         a.run.plan.micro_batch >= least_batch_ratio * b.run.plan.micro_batch;
}

bool overhead_is_determined(std::span<const Observation* const> seen) {
  constexpr std::size_t least_observations = 3;
  for (const Observation* a : seen)
    for (const Observation* b : seen) {
      const bool on_one_machine = a->step_error && b->step_error;
      if (batches_differ(*a, *b) && (on_one_machine || seen.size() >= least_observations))
        return true;
    }
  return false;
}

bool overlap_loss_is_determined(std::span<const Observation* const> seen) {
  const auto overlaps = [](const Observation* each) {
    return each->run.settings.tensor_overlap.value_or(true);
  };
  for (const Observation* a : seen)
    for (const Observation* b : seen)
      if (a->run.plan.tensor_parallel_size > 1 && b->run.plan.tensor_parallel_size > 1 &&
          a->run.settings.software_release == b->run.settings.software_release && overlaps(a) &&
          !overlaps(b))
        return true;
  return false;
}

bool context_loss_is_determined(std::span<const Observation* const> seen) {
  for (const Observation* a : seen)
    for (const Observation* b : seen)
      if (a->run.plan.context_parallel_size > 1 && b->run.plan.context_parallel_size == 1 &&
          a->run.plan.tensor_parallel_size == b->run.plan.tensor_parallel_size &&
          a->run.settings.software_release == b->run.settings.software_release)
        return true;
  return false;
}

}  // namespace calibration
}  // namespace tofn
