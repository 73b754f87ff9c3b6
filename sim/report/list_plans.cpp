#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// What plans state.
Columns<PlanFile> plan_columns() {
  const auto setting = [](auto member) { return of_its(&PlanFile::settings, member); };
  Columns<PlanFile> columns{
      {"name", &PlanFile::name},
      {"gradient_accumulation", &PlanFile::gradient_accumulation},
      {"micro_batch", &PlanFile::micro_batch},
      {"precision", setting(&RunSettings::precision)},
      {"fp8_attention", setting(&RunSettings::fp8_attention)},
      {"tensor_overlap", setting(&RunSettings::tensor_overlap)},
      {"cuda_graphs", setting(&RunSettings::cuda_graphs)},
      {"in_network_reduction", setting(&RunSettings::in_network_reduction)},
      {"overlap_gradient_reduction", setting(&RunSettings::overlap_gradient_reduction)}};
  visit_plan([&](const PlanField& field, auto member) {
    if (field.is_own_key())
      columns.emplace_back(std::string(field.key), of_its(&PlanFile::split, member));
  });
  return columns;
}

}  // namespace

Listing list_plans(std::span<const PlanFile> plans) {
  TextTable table({{"plan", Align::Left},
                   {"tp"},
                   {"cp"},
                   {"pp"},
                   {"chunks"},
                   {"ep"},
                   {"sharded", Align::Left},
                   {"recompute", Align::Left},
                   {"accumulation"},
                   {"precision"},
                   {"CUDA graphs"}});
  for (const PlanFile& plan : plans) {
    const RunSettings& s = plan.settings;
    const Plan& split = plan.split;
    const auto& steps = plan.gradient_accumulation;
    table.add({plan.name, fmt::format("{}", split.tensor_parallel_size),
               fmt::format("{}", split.context_parallel_size),
               fmt::format("{}", split.pipeline_parallel_size),
               fmt::format("{}", split.chunks_per_stage),
               fmt::format("{}", split.expert_parallel_size),
               std::string(name_in(sharded_names, split.sharded)),
               std::string(name_in(recompute_names, split.recompute)),
               steps ? fmt::format("{}", *steps) : "as needed",
               std::string(s.precision ? to_text(*s.precision) : "-"),
               std::string(s.cuda_graphs ? to_text(*s.cuda_graphs) : "-")});
  }
  return {.text = table.render() + "-: not stated, the default applies\n",
          .records = records_of(plan_columns(), plans)};
}

}  // namespace report
}  // namespace tofn
