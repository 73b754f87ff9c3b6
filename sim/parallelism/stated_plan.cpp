#include "sim/parallelism/stated_plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace parallelism {
namespace {

constexpr double most_steps = 1e6;  // of accumulation: fits an int

}  // namespace

bool StatedPlan::fixes(std::string_view row) const {
  if (row == "micro_batch") return micro_batch.has_value();
  if (row == "gradient_accumulation") return gradient_accumulation.has_value();
  return is_whole || std::ranges::find(stated, row) != stated.end();
}

Plan plan_on(const StatedPlan& file, int accelerators, double global_batch) {
  Plan split = file.split;
  split.gradient_accumulation = file.gradient_accumulation.value_or(1);
  const double replicas = 1.0 * accelerators / split.model_parallel_size();
  if (file.micro_batch && replicas >= 1 && replicas == std::floor(replicas)) {
    const double steps = global_batch / replicas / *file.micro_batch;
    const bool is_stated = file.gradient_accumulation.has_value();
    if (is_stated ? steps != *file.gradient_accumulation
                  : !(steps >= 1 && steps <= most_steps && steps == std::floor(steps)))
      throw InputError(
          fmt::format("plan {} does not split global batch {} over {} replicas: {} of micro-batch "
                      "{} each",
                      file.name, global_batch, replicas,
                      is_stated ? fmt::format("{} steps", *file.gradient_accumulation)
                                : "a whole number of steps",
                      *file.micro_batch));
    split.gradient_accumulation = static_cast<int>(steps);
  }
  return make_plan(split, accelerators, global_batch);
}

}  // namespace parallelism
}  // namespace tofn
