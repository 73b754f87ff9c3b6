#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Columns of what plans state, for machines.
TableColumns<StatedPlan> plan_columns() {
  const auto setting = [](auto member) { return of_its(&StatedPlan::settings, member); };
  TableColumns<StatedPlan> columns{
      {"name", &StatedPlan::name},
      {"gradient_accumulation", &StatedPlan::gradient_accumulation},
      {"micro_batch", &StatedPlan::micro_batch},
      {"precision", setting(&RunSettings::precision)},
      {"fp8_attention", setting(&RunSettings::fp8_attention)},
      {"tensor_overlap", setting(&RunSettings::tensor_overlap)},
      {"cuda_graphs", setting(&RunSettings::cuda_graphs)},
      {"in_network_reduction", setting(&RunSettings::in_network_reduction)},
      {"overlap_gradient_reduction", setting(&RunSettings::overlap_gradient_reduction)}};
  visit_plan([&](const PlanField& field, auto member) {
    if (field.is_own_key())
      columns.emplace_back(std::string(field.key), of_its(&StatedPlan::split, member));
  });
  return columns;
}

/// Columns of plans for people.
TableColumns<StatedPlan> plan_heads() {
  using Row = StatedPlan;
  const auto split = [](auto member) { return of_its(&Row::split, member); };
  const auto setting = [](auto member) { return of_its(&Row::settings, member); };
  const auto steps = [](const Row& row) {
    const auto& count = row.gradient_accumulation;
    return count ? fmt::format("{}", *count) : "as needed";
  };
  return {left("plan", &Row::name),
          right("tp", split(&Plan::tensor_parallel_size)),
          right("cp", split(&Plan::context_parallel_size)),
          right("pp", split(&Plan::pipeline_parallel_size)),
          right("chunks", split(&Plan::chunks_per_stage)),
          right("ep", split(&Plan::expert_parallel_size)),
          left("sharded", split(&Plan::sharded)),
          left("recompute", split(&Plan::recompute)),
          {right("accumulation", steps), "accumulation steps of the plan"},
          right("precision", setting(&RunSettings::precision)),
          right("CUDA graphs", setting(&RunSettings::cuda_graphs))};
}

}  // namespace

Listing list_plans(std::span<const StatedPlan> plans) {
  return {.text = table_text(plan_heads(), plans) + "-: not stated, the default applies\n",
          .records = with_words_of(plan_heads(), records_of(plan_columns(), plans))};
}

}  // namespace report
}  // namespace tofn
