#include <fmt/format.h>

#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
namespace {

std::string millions(double parameters) {
  return parameters < 1e9 ? fmt::format("{:.1f} M", parameters / 1e6)
                          : fmt::format("{:.2f} G", parameters / 1e9);
}

std::string split_cell(const Workload& workload) {
  if (workload.tensor_parallel && workload.context_parallel) return "dp tp cp";
  return workload.tensor_parallel ? "dp tp" : "dp";
}

std::vector<Value> record_of(const Workload& each) {
  const auto& points = each.convergence;
  return {each.name,
          each.title,
          each.parameters,
          each.trainable_parameters,
          total_work(each).total().base() / 1e12,
          std::string(to_text(each.precision)),
          each.tensor_parallel ? 1LL : 0LL,
          each.context_parallel ? 1LL : 0LL,
          static_cast<long long>(points.size()),
          points.empty() ? Value{} : Value{points.front().batch},
          points.empty() ? Value{} : Value{points.back().batch},
          each.target};
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
  Listing listing;
  listing.records.columns = {"name",
                             "title",
                             "parameters",
                             "trainable_parameters",
                             "tflop_per_sample",
                             "precision",
                             "tensor_parallel",
                             "context_parallel",
                             "reference_points",
                             "smallest_reference_batch",
                             "largest_reference_batch",
                             "target"};
  for (const Workload* each : workloads) {
    const double work = total_work(*each).total().base() / 1e12;
    const auto& points = each->convergence;
    table.add({each->name, millions(each->parameters), millions(each->trainable_parameters),
               fmt::format("{:.4g}", work), std::string(to_text(each->precision)),
               split_cell(*each),
               points.empty() ? "none"
                              : fmt::format("{} from {:g} to {:g}", points.size(),
                                            points.front().batch, points.back().batch)});
    listing.records.rows.push_back(record_of(*each));
  }
  listing.text =
      table.render() +
      "TFLOP a sample: forward and backward; splits: data, tensor and context parallel\n";
  return listing;
}

}  // namespace tofn
