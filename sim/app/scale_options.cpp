#include "sim/app/scale_options.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/run_options.hpp"
#include "sim/core/error.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {
inline namespace app {
namespace {

double number_option(const options::variables_map& values, const char* name, double most) {
  const auto& text = values[name].as<std::string>();
  double value = 0;
  if (!parse_number(text, value) || !(value >= 0 && value <= most))
    throw InputError(
        {}, std::string("--") + name,
        fmt::format("expected a number from 0 to {:g}, got '{}'", most, shortened(text)));
  return value;
}

}  // namespace

ScaleRequest read_scale_request(const options::variables_map& values) {
  constexpr int most_samples = 100'000'000;
  ScaleRequest request;
  request.batch = count_option(values, "batch", most_samples);
  request.replica_batch = count_option(values, "replica-batch", most_samples);
  if (request.batch && request.replica_batch)
    throw InputError({}, "--replica-batch", "says the batch: leave --batch out");
  request.knees = {.least_gain = number_option(values, "gain", 100) / 100,
                   .cost_weight = number_option(values, "cost-weight", 100)};
  request.seed = seed_of(values);
  return request;
}

std::vector<int> scale_sizes(const options::variables_map& values, const Cluster& cluster,
                             int model_parallel) {
  if (const auto asked = text_option(values, "accelerators")) return counts_of(*asked, "-N");
  return default_scale_sizes(cluster, model_parallel);
}

std::vector<int> default_scale_sizes(const Cluster& cluster, int model_parallel) {
  constexpr int doublings = 9;
  std::vector<int> sizes{std::max(cluster.accelerators_per_node.value, model_parallel)};
  for (int i = 0; i < doublings; ++i) sizes.push_back(2 * sizes.back());
  return sizes;
}

CommandLine scale_command_line() {
  CommandLine line{.usage =
                       "scale WORKLOAD|MODEL CLUSTER [OPTIONS], scale WORKLOAD --accelerator "
                       "A, scale --series FILE.csv, scale --quotes",
                   .examples =
                       "  tofn scale bert dgx-h100\n"
                       "  tofn scale retinanet dgx-h100 -N 8..2048 --batch 2048\n"
                       "  tofn scale llama3-8b dgx-h100 -N 8..1024 --batch 1024 --sharded "
                       "parameters\n"
                       "  tofn scale llama3-8b dgx-h100 --tokens 2T --price 2.5\n"
                       "  tofn scale bert --accelerator 'H100 SXM'\n"
                       "  tofn scale --series my-runs.csv --gain 20\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  const auto text = [] { return options::value<std::string>(); };
  line.description.add_options()  //
      ("job", text(),
       "a name of `tofn list workloads`, `models` or `runs`, or a file (.yaml, config.json)")     //
      ("cluster", text(), "a name of `tofn list clusters`, or a file (.yaml)")                    //
      ("accelerators,N", text(), "e.g. 8,64,512, or 8..512 (default: 1 to 512 nodes, doubling)")  //
      ("replica-batch", text(), "samples per replica and step (weak scaling)")                    //
      ("series", text(), "a table of measured times (accelerators, minutes or seconds)")          //
      ("accelerator", text(), "published times on this accelerator in place of predicted ones")   //
      ("published", text(), "their table (default: MLPerf v4.1)")                                 //
      ("quotes", options::value<std::string>()->implicit_value(""),
       "examples that others quote beside simulated ones (default: those of quotes/)")  //
      ("gain", text()->default_value("30"), "% of speed that a doubling must gain")     //
      ("cost-weight", text()->default_value("0.5"), "w of the least time x cost^w")     //
      ("release", text(),
       "software release YY.MM of a workload (default: the newest calibrated)")                   //
      ("calibration", text(), "measured collectives: a name of configs/calibrations, or a file")  //
      ("seed", text()->default_value("1"), "seed of ranges and of K-means")                       //
      ("table", text()->default_value("points"),
       "what csv and json hold: points, laws, knees or left-out");
  add_run_options(line.description);
  line.positional.add("job", 1).add("cluster", 1);
  return line;
}

}  // namespace app
}  // namespace tofn
