#include "sim/simulation/calibrated_plan.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/parallelism/plan_fields.hpp"

namespace tofn {
inline namespace simulation {

void require_calibrated_plan(const Plan& plan) {
  const auto requested_for = std::to_array<std::pair<bool, std::string_view>>(
      {{plan.pipeline_parallel_size > 1, "a pipeline (pp > 1)"},
       {plan.chunks_per_stage > 1, "interleaved stages"},
       {plan.schedule != Plan{}.schedule, "another pipeline schedule"},
       {plan.expert_parallel_size > 1, "expert parallelism (ep > 1)"},
       {plan.sequence_parallel, "sequence parallelism"},
       {plan.context_exchange != ContextExchange::Ring, "all-gathered keys and values"},
       {plan.recompute != Recompute::None, "recomputation"},
       {plan.sharded != Sharded::Nothing || plan.shards_in_domain || plan.shard_ranks,
        "sharded state"},
       {plan.parameter_overlap, "parameters gathered beside the forward pass"},
       {plan.send_overlap, "sends of a pipeline beside its passes"},
       {plan.optimizer != Plan{}.optimizer, "an optimizer that is not the workload's"},
       {plan.offloads_optimizer, "an offloaded optimizer"},
       {plan.compression != GradientCompression::None, "gradient compression"}});
  for (const auto& [is_requested, what] : requested_for)
    if (is_requested)
      throw InputError(fmt::format(
          "the plan has {}, which predictions from measured runs do not know; `tofn step` "
          "simulates it",
          what));
  visit_plan([&](const PlanField& field, auto member) {
    const bool is_known = field.name == "tp" || field.name == "cp" ||
                          field.name == "accelerators_per_domain" || !field.is_own_key();
    if (!is_known && plan.*member != Plan{}.*member)
      throw InputError(fmt::format(
          "the plan states {}, which predictions from measured runs do not know; `tofn step` "
          "simulates it",
          field.key));
  });
}

}  // namespace simulation
}  // namespace tofn
