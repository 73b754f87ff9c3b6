#include "sim/parallelism/plan.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
namespace {

void require_positive(const char* name, int size) {
  if (size < 1) throw InputError(fmt::format("{} must be at least 1, got {}", name, size));
}

}  // namespace

Plan make_plan(const PlanRequest& request) {
  require_positive("accelerators", request.accelerators);
  require_positive("tp", request.tensor_parallel_size);
  require_positive("pp", request.pipeline_parallel_size);
  require_positive("cp", request.context_parallel_size);
  require_positive("gradient accumulation", request.gradient_accumulation);
  if (!(request.global_batch > 0))
    throw InputError(fmt::format("the global batch must be above 0, got {}", request.global_batch));
  // The product of three sizes may pass any integer; a double holds it well enough to compare.
  const double product = 1.0 * request.tensor_parallel_size * request.pipeline_parallel_size *
                         request.context_parallel_size;
  if (std::fmod(request.accelerators, product) != 0)
    throw InputError(fmt::format("tp*pp*cp = {}*{}*{} = {:.0f} does not divide {} accelerators",
                                 request.tensor_parallel_size, request.pipeline_parallel_size,
                                 request.context_parallel_size, product, request.accelerators));
  if (request.pipeline_parallel_size > 1)
    throw InputError("pipeline parallel plans (pp > 1) are not modelled yet");
  const int replicas = request.accelerators / static_cast<int>(product);
  const double micro_batch = request.global_batch / replicas / request.gradient_accumulation;
  if (micro_batch < 1)
    throw InputError(
        fmt::format("global batch {} leaves less than one sample to each of {} replicas x {} "
                    "accumulation steps",
                    request.global_batch, replicas, request.gradient_accumulation));
  return {.tensor_parallel_size = request.tensor_parallel_size,
          .pipeline_parallel_size = request.pipeline_parallel_size,
          .context_parallel_size = request.context_parallel_size,
          .data_parallel_size = replicas,
          .gradient_accumulation = request.gradient_accumulation,
          .micro_batch = micro_batch};
}

RankSet tensor_ranks(const Plan& plan) { return {.stride = 1, .count = plan.tensor_parallel_size}; }

RankSet context_ranks(const Plan& plan) {
  return {.stride = plan.tensor_parallel_size, .count = plan.context_parallel_size};
}

RankSet gradient_ranks(const Plan& plan) {
  return {.stride = plan.tensor_parallel_size,
          .count = plan.context_parallel_size * plan.data_parallel_size};
}

}  // namespace tofn
