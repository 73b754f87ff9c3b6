#include <fmt/format.h>

#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string millions(double parameters) {
  return parameters < 1e9 ? fmt::format("{:.1f} M", parameters / 1e6)
                          : fmt::format("{:.2f} G", parameters / 1e9);
}

std::string split_cell(const Workload& workload) {
  if (workload.tensor_parallel && workload.context_parallel) return "dp tp cp";
  return workload.tensor_parallel ? "dp tp" : "dp";
}

double tera_flops(const Workload& workload) { return total_work(workload).total().base() / 1e12; }

Columns<const Workload*> workload_columns() {
  return {
      {"name", &Workload::name},
      {"title", &Workload::title},
      {"parameters", &Workload::parameters},
      {"trainable_parameters", &Workload::trainable_parameters},
      {"tflop_per_sample", [](const Workload* each) { return tera_flops(*each); }},
      {"precision", &Workload::precision},
      {"tensor_parallel", [](const Workload* each) { return each->tensor_parallel.has_value(); }},
      {"context_parallel", [](const Workload* each) { return each->context_parallel.has_value(); }},
      {"reference_points", [](const Workload* each) { return each->convergence.size(); }},
      {"smallest_reference_batch",
       [](const Workload* each) {
         const auto& points = each->convergence;
         return points.empty() ? std::nullopt : std::optional(points.front().batch);
       }},
      {"largest_reference_batch",
       [](const Workload* each) {
         const auto& points = each->convergence;
         return points.empty() ? std::nullopt : std::optional(points.back().batch);
       }},
      {"target", &Workload::target}};
}

}  // namespace

Listing list_workloads(std::span<const Workload* const> workloads) {
  TextTable table({{"workload", Align::Left},
                   {"parameters"},
                   {"trainable"},
                   {"TFLOP a sample"},
                   {"computes in", Align::Left},
                   {"splits", Align::Left},
                   {"reference batches", Align::Left}});
  for (const Workload* each : workloads) {
    const auto& points = each->convergence;
    table.add({each->name, millions(each->parameters), millions(each->trainable_parameters),
               fmt::format("{:.4g}", tera_flops(*each)), std::string(to_text(each->precision)),
               split_cell(*each),
               points.empty() ? "none"
                              : fmt::format("{} from {:g} to {:g}", points.size(),
                                            points.front().batch, points.back().batch)});
  }
  return {.text = table.render() +
                  "TFLOP a sample: forward and backward; splits: data, tensor and "
                  "context parallel\n",
          .records = records_of(workload_columns(), workloads)};
}

}  // namespace report
}  // namespace tofn
