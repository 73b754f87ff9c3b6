#include "sim/app/scale_options.hpp"

#include <algorithm>
#include <utility>

#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/run_options.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace app {
namespace option {
constexpr OptionOf<double> gain{
    {.name = "gain", .help = "% of speed that a doubling must gain", .default_text = "30"},
    number_up_to<100>};
constexpr OptionOf<double> cost_weight{
    {.name = "cost-weight", .help = "w of the least time x cost^w", .default_text = "0.5"},
    number_up_to<100>};
}  // namespace option

ScaleRequest read_scale_request(const options::variables_map& values) {
  ScaleRequest request;
  request.batch = option::batch.of(values);
  request.replica_batch = option::replica_batch.of(values);
  if (request.batch && request.replica_batch)
    throw InputError({}, option::replica_batch.flag(), "says the batch: leave --batch out");
  request.knees = {.least_gain = option::gain.value(values) / 100,
                   .cost_weight = option::cost_weight.value(values)};
  request.seed = option::seed.value(values);
  return request;
}

std::vector<int> scale_sizes(const options::variables_map& values, const Cluster& cluster,
                             int model_parallel) {
  if (auto requested = option::accelerators.of(values)) return *std::move(requested);
  return default_scale_sizes(cluster, model_parallel);
}

std::vector<int> default_scale_sizes(const Cluster& cluster, int model_parallel) {
  constexpr int doublings = 9;
  std::vector<int> sizes{std::max(cluster.accelerators_per_node.value, model_parallel)};
  for (int i = 0; i < doublings; ++i) sizes.push_back(2 * sizes.back());
  return sizes;
}

CommandOptions scale_rows() {
  constexpr Jobs predicted = workload_scaled | model_scaled;
  constexpr Jobs all = predicted | of_published_times | series_answer;
  return joined(
      {{{.option = &option::job, .acts_on = predicted | of_published_times, .words = 1},
        {.option = &option::cluster, .acts_on = predicted, .words = 1},
        {&option::accelerators, predicted,
         "accelerators, e.g. 8,64,512, or 8..512 (default: 1 to 512 nodes, doubling)"},
        {&option::replica_batch, predicted, "samples per replica and step (weak scaling)"},
        {&option::series, series_answer},
        {&option::published_on, of_published_times},
        {&option::published, of_published_times, "table of published times (default: MLPerf v4.1)"},
        {&option::quotes, quote_answer},
        {&option::gain, all},
        {&option::cost_weight, all},
        {&option::release, workload_scaled},
        {&option::calibration, predicted},
        {&option::seed, all, "seed of ranges and of K-means", "1"},
        {&option::scale_table, all}},
       run_rows()});
}

CommandLine scale_command_line() {
  return {
      "scale WORKLOAD|MODEL CLUSTER [OPTIONS], scale WORKLOAD --accelerator "
      "A, scale --series FILE.csv, scale --quotes",
      "  tofn scale bert dgx-h100\n"
      "  tofn scale retinanet dgx-h100 -N 8..2048 --batch 2048\n"
      "  tofn scale llama3-8b dgx-h100 -N 8..1024 --batch 1024 --sharded "
      "parameters\n"
      "  tofn scale llama3-8b dgx-h100 --tokens 2T --price 2.5\n"
      "  tofn scale bert --accelerator 'H100 SXM'\n"
      "  tofn scale --series my-runs.csv --gain 20\n",
      scale_rows()};
}

}  // namespace app
}  // namespace tofn
