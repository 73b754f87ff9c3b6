#include <fmt/format.h>

#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string millions(double parameters) {
  return parameters < 1e9 ? fmt::format("{:.1f} M", parameters / 1e6)
                          : fmt::format("{:.2f} G", parameters / 1e9);
}

std::string split_cell(const Workload* const& workload) {
  if (workload->tensor_parallel && workload->context_parallel) return "dp tp cp";
  return workload->tensor_parallel ? "dp tp" : "dp";
}

std::string reference_batches(const Workload* const& workload) {
  const auto& points = workload->convergence;
  return points.empty() ? "none"
                        : fmt::format("{} from {:g} to {:g}", points.size(), points.front().batch,
                                      points.back().batch);
}

double tera_flops(const Workload& workload) { return total_work(workload).total().base() / 1e12; }

TableColumns<const Workload*> workload_columns() {
  const auto batch_of = [](auto which) {
    return [=](const Workload* each) {
      const auto& points = each->convergence;
      return points.empty() ? std::nullopt : std::optional(which(points).batch);
    };
  };
  return {
      {"name", &Workload::name, left("workload")},
      {"title", &Workload::title},
      {"parameters", &Workload::parameters, right("parameters", millions)},
      {"trainable_parameters", &Workload::trainable_parameters, right("trainable", millions)},
      {"tflop_per_sample", [](const Workload* each) { return tera_flops(*each); },
       right("TFLOP a sample", "{:.4g}"), "10^12 FLOPs of a sample, forward and backward"},
      {"precision", &Workload::precision, left("stated in"),
       "precision of the matrix products that the workload states; a prediction names the one that "
       "its accelerator computes in, beside the MFU"},
      TableColumn<const Workload*>(left("splits", split_cell),
                                   "ways in which a plan may split the workload"),
      TableColumn<const Workload*>(left("reference batches", reference_batches),
                                   "batches whose samples to the target are known"),
      {"tensor_parallel", [](const Workload* each) { return each->tensor_parallel.has_value(); }},
      {"context_parallel", [](const Workload* each) { return each->context_parallel.has_value(); }},
      {"reference_points", [](const Workload* each) { return each->convergence.size(); },
       "MLPerf's points of samples to the target by batch"},
      {"smallest_reference_batch", batch_of([](const auto& points) { return points.front(); }),
       "smallest batch of MLPerf's points"},
      {"largest_reference_batch", batch_of([](const auto& points) { return points.back(); }),
       "largest batch of MLPerf's points"},
      {"target", &Workload::target, "score at which the benchmark ends"}};
}

}  // namespace

Listing list_workloads(std::span<const Workload* const> workloads) {
  return listing_of(workload_columns(), workloads,
                    "TFLOP a sample: forward and backward; splits: data, tensor and "
                    "context parallel\n");
}

}  // namespace report
}  // namespace tofn
