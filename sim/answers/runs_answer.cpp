#include "sim/answers/runs_answer.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/answers/job_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/training/job.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// What tables of runs call a chip, and the cluster and the chip that stand for it.
struct Chip {
  std::string_view name;
  std::string_view cluster;
  std::string_view accelerator;  ///< in place of the cluster's; empty: its own
};
constexpr std::array chips{Chip{"A100", "dgx-a100", ""},
                           Chip{"A100-80GB", "dgx-a100", ""},
                           Chip{"A100-40GB", "dgx-a100", "A100 SXM 40GB"},
                           Chip{"H100", "dgx-h100", ""},
                           Chip{"H100-80GB", "dgx-h100", ""},
                           Chip{"H200", "dgx-h200", ""},
                           Chip{"B200", "dgx-b200", ""},
                           Chip{"MI300X", "mi300x", ""},
                           Chip{"MI250X GCD", "lumi-g", ""},
                           Chip{"V100", "azure-v100", ""},
                           Chip{"TPUv3", "tpu-v3", ""},
                           Chip{"TPUv4", "tpu-v4", ""},
                           Chip{"TPUv5p", "tpu-v5p", ""}};

/// Usual of language models, where a table does not state them.
constexpr int head_size = 128;
constexpr double usual_vocabulary = 50304;
constexpr double usual_sequence = 2048;
// Of a run whose accelerators are not stated: as many as end it in time.
constexpr double longest_days = 60;
constexpr int most_accelerators = 2048;

/// A row of the table, and what had to be assumed of it.
class Row {
 public:
  Row(const CsvTable& table, std::size_t row, std::vector<std::string>& assumed)
      : table_(table), row_(row), assumed_(assumed) {}

  std::string text(std::string_view column) const {
    return table_.has_column(column) ? table_.at(row_, column) : std::string();
  }
  std::optional<double> known(std::string_view column) const {
    const std::string cell = text(column);
    double number = 0;
    if (cell.empty() || !parse_number(cell, number) || !(number > 0)) return {};
    return number;
  }
  double needed(std::string_view column) const {
    if (const auto number = known(column)) return *number;
    throw InputError(fmt::format("{} is not stated", column));
  }
  double usual(std::string_view column, double value) {
    if (const auto number = known(column)) return *number;
    assumed_.push_back(fmt::format("{} {}", column, count_text(value, 4)));
    return value;
  }

 private:
  const CsvTable& table_;
  std::size_t row_;
  std::vector<std::string>& assumed_;
};

/// Layers of 12 h^2 parameters, as deep as they have heads of 128: the shape of most models.
int usual_layers(double parameters) {
  return std::max(
      1, static_cast<int>(std::lround(std::cbrt(parameters / 12 / (head_size * head_size)))));
}

Model model_of(Row& row) {
  const double all = row.needed("parameters_total");
  const int layers = static_cast<int>(row.usual("layers", usual_layers(all)));
  const int hidden = static_cast<int>(
      row.usual("hidden", head_size * std::round(std::sqrt(all / 12 / layers) / head_size)));
  const int heads = static_cast<int>(row.usual("heads", std::max(1, hidden / head_size)));
  const bool gated = row.text("gated_mlp") == "1";
  TransformerLayers shape{
      .count = layers,
      .hidden = hidden,
      .feed_forward =
          static_cast<int>(row.usual("feed_forward", std::round((gated ? 8.0 / 3 : 4.0) * hidden))),
      .heads = heads,
      .key_value_heads = static_cast<int>(row.known("kv_heads").value_or(heads)),
      .head_size = static_cast<int>(row.known("head_dim").value_or(hidden / heads)),
      .gated = gated,
      .biases = false,
      .rotary = true};
  Model model;
  model.name = row.text("run");
  model.sequence_length = row.usual("sequence_length", usual_sequence);
  model.parts = {
      {.name = "vocabulary",
       .shape = Vocabulary{.size = static_cast<int>(row.usual("vocabulary", usual_vocabulary)),
                           .hidden = hidden,
                           .tied = row.text("tied_embeddings") == "1",
                           .biases = false}},
      {.name = "layer", .shape = shape}};
  return model;
}

Cluster cluster_of(const Row& row, Library& library) {
  const std::string name = row.text("accelerator");
  const auto found =
      std::find_if(chips.begin(), chips.end(), [&](const Chip& chip) { return chip.name == name; });
  if (found == chips.end())
    throw InputError(fmt::format("no cluster of {} is known", name.empty() ? "no chip" : name));
  Cluster cluster = library.cluster(std::string(found->cluster));
  if (!found->accelerator.empty())
    cluster.accelerator = *library.find_accelerator(found->accelerator);
  return cluster;
}

/// The step on so many accelerators, with what of the plan the table states.
SimulatedStep step_of(const Row& row, const Model& model, const Cluster& cluster,
                      const KernelProfile& profile, int accelerators, double batch) {
  Plan asked;
  std::vector<std::string_view> stated;
  const auto take = [&](std::string_view column, std::string_view name, int Plan::*size) {
    if (const auto number = row.known(column)) {
      asked.*size = static_cast<int>(*number);
      stated.push_back(name);
    }
  };
  take("tensor_parallel", "tp", &Plan::tensor_parallel_size);
  take("pipeline_parallel", "pp", &Plan::pipeline_parallel_size);
  take("context_parallel", "cp", &Plan::context_parallel_size);
  const BestPlan best =
      best_plan({.model = model,
                 .cluster = cluster,
                 .profile = profile,
                 .accelerators = accelerators,
                 .global_batch = batch,
                 .asked = asked,
                 .is_fixed = [&](std::string_view name) {
                   return std::find(stated.begin(), stated.end(), name) != stated.end();
                 }});
  if (!best.fits) throw InputError("no plan fits the memory");
  return simulate_step(model, best.plan, cluster, profile);
}

JobEstimate estimate_of(Row& row, Library& library, const KernelProfile& profile) {
  const Model model = model_of(row);
  const Cluster cluster = cluster_of(row, library);
  const double samples = row.needed("tokens") / model.sequence_length;
  const double batch =
      batch_samples(row.usual("global_batch_tokens", usual_batch_tokens), model.sequence_length);
  const auto on = [&](int accelerators) {
    return estimate(
        {.phases = {{step_of(row, model, cluster, profile, accelerators, batch), samples}}});
  };
  if (const auto stated = row.known("gpus")) return on(static_cast<int>(*stated));
  int accelerators = 8 * cluster.accelerators_per_node.value;
  JobEstimate job = on(accelerators);
  while (job.expected.days > longest_days && accelerators < most_accelerators)
    job = on(accelerators *= 2);
  row.usual("gpus", accelerators);
  return job;
}

/// Of one chip, to learn from these alone.
constexpr std::size_t enough_runs = 5;

double utilisation_of(const PublishedRun& run, const std::vector<double>& flops, std::size_t i) {
  return flops[i] / run.hours;
}

/// Predictions times what other families took over theirs; and the baseline.
void correct(std::vector<PublishedRun>& runs, const std::vector<double>& flops) {
  for (std::size_t i = 0; i < runs.size(); ++i) {
    PublishedRun& run = runs[i];
    if (!run.skipped_because.empty()) continue;
    std::vector<double> ratios;
    std::vector<double> same_chip;
    std::vector<double> rates;
    for (std::size_t j = 0; j < runs.size(); ++j) {
      const PublishedRun& other = runs[j];
      if (!other.skipped_because.empty() || other.family == run.family) continue;
      ratios.push_back(std::log(other.hours / other.predicted_hours));
      if (other.accelerator != run.accelerator) continue;
      same_chip.push_back(ratios.back());
      rates.push_back(utilisation_of(other, flops, j));
    }
    if (same_chip.size() >= enough_runs) ratios = same_chip;
    if (!rates.empty()) run.baseline_hours = flops[i] / median(rates);
    const double centre = ratios.empty() ? 0 : median(ratios);
    std::vector<double> distances;
    for (const double ratio : ratios) distances.push_back(std::abs(ratio - centre));
    const double spread = distances.size() < 2 ? 1 : 1.4826 * median(distances);
    run.corrected_hours = run.predicted_hours * std::exp(centre);
    run.low = run.corrected_hours * std::exp(-ninety_percent_deviations * spread);
    run.high = run.corrected_hours * std::exp(ninety_percent_deviations * spread);
  }
}

}  // namespace

std::vector<PublishedRun> runs_answer(const std::filesystem::path& configs,
                                      const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  Library library = Library::load(configs);
  const KernelProfile profile = find_kernel_profile(configs, usual_stack);
  std::vector<PublishedRun> runs;
  std::vector<double> flops;  // 6 a parameter and token, for the baseline
  for (std::size_t i = 0; i < table.rows(); ++i) {
    PublishedRun run;
    Row row(table, i, run.assumed);
    run.name = row.text("run");
    run.family = row.text("model_family");
    run.accelerator = row.text("accelerator");
    run.use = row.text("score");
    if (run.use.empty()) continue;
    try {
      run.hours = row.needed("gpu_hours");
      const JobEstimate job = estimate_of(row, library, profile);
      run.accelerators = job.job.phases.front().step.plan.accelerators();
      run.predicted_hours = job.expected.accelerator_hours;
      run.plan = plan_words(job.job.phases.front().step.plan);
    } catch (const InputError& error) {
      run.skipped_because = error.what();
    }
    flops.push_back(6 * row.known("parameters_total").value_or(0) *
                    row.known("tokens").value_or(0));
    runs.push_back(std::move(run));
  }
  correct(runs, flops);
  return runs;
}

ErrorSummary errors_of(const std::vector<PublishedRun>& runs, double (*hours)(const PublishedRun&),
                       bool (*is_chosen)(const PublishedRun&)) {
  std::vector<double> errors;
  for (const PublishedRun& run : runs)
    if (run.skipped_because.empty() && is_chosen(run)) errors.push_back(hours(run) / run.hours - 1);
  return summarise_errors(errors);
}

}  // namespace answers
}  // namespace tofn
