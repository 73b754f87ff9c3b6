#include "sim/answers/run_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/answers/goodput_answer.hpp"
#include "sim/answers/run_batch.hpp"
#include "sim/cluster/unanswered_row.hpp"
#include "sim/evidence/case_cluster.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/training/run_estimate.hpp"
#include "sim/training/stated_run.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Chip names in tables of runs, with the cluster and the accelerator that each stands for.
struct Chip {
  std::string_view name;
  std::string_view cluster;
  std::string_view accelerator;  ///< replaces the cluster's own; empty: its own
};
constexpr std::array chips{Chip{"A100", "dgx-a100", ""},
                           Chip{"A100-80GB", "dgx-a100", ""},
                           Chip{"A100-40GB", "dgx-a100", "A100 SXM 40GB"},
                           Chip{"H100", "dgx-h100", ""},
                           Chip{"H100-80GB", "dgx-h100", ""},
                           Chip{"H100-96GB", "hgx-h100-96gb", ""},
                           Chip{"H200", "dgx-h200", ""},
                           Chip{"H800", "deepseek-h800", ""},
                           Chip{"A800", "hgx-a800", ""},
                           Chip{"B200", "dgx-b200", ""},
                           Chip{"MI300X", "mi300x", ""},
                           Chip{"MI250X GCD", "lumi-g", ""},
                           Chip{"V100", "azure-v100", ""},
                           Chip{"TPUv3", "tpu-v3", ""},
                           Chip{"TPUv4", "tpu-v4", ""},
                           Chip{"TPUv5p", "tpu-v5p", ""}};

constexpr std::array<std::string_view, 3> needed_words{"run", "accelerator", "model_family"};
constexpr std::array<std::string_view, 3> needed_numbers{"parameters_total", "tokens", "gpu_hours"};
constexpr std::array<std::string_view, 13> other_numbers{"hidden",
                                                         "feed_forward",
                                                         "layers",
                                                         "heads",
                                                         "kv_heads",
                                                         "head_dim",
                                                         "vocabulary",
                                                         "sequence_length",
                                                         "gpus",
                                                         "tensor_parallel",
                                                         "pipeline_parallel",
                                                         "context_parallel",
                                                         "global_batch_tokens"};
constexpr std::array<std::string_view, 8> other_words{"score",     "gated_mlp",  "tied_embeddings",
                                                      "precision", "hours_hold", "goodput",
                                                      "source",    "notes"};

CsvTable read_runs(const std::filesystem::path& file, std::vector<std::string>* notes = nullptr) {
  CsvTable table = CsvTable::read(file);
  std::vector<std::string_view> known;
  const auto add = [&](const auto& columns) {
    known.insert(known.end(), columns.begin(), columns.end());
  };
  add(needed_words), add(needed_numbers), add(other_numbers), add(other_words);
  table.leave_out_unknown_columns(known, notes);
  if (table.rows() == 0) return table;
  // Each call throws if the header lacks the column.
  for (const std::string_view column : needed_words) table.at(0, column);
  for (const std::string_view column : needed_numbers) table.at(0, column);
  table.at(0, "score");
  return table;
}

// Limits for a run that does not state its accelerators: as many as finish it in time.
constexpr double longest_days = 60;
constexpr int most_accelerators = 2048;

const Chip* find_chip(const std::string& name) {
  const auto* const found = std::ranges::find(chips, name, &Chip::name);
  return found == chips.end() ? nullptr : &*found;
}

Cluster cluster_of_run(const RunsRow& row, Library& library) {
  const Chip* chip = find_chip(row.text("accelerator"));
  if (chip == nullptr) return case_cluster(row, library);
  Cluster cluster = library.cluster(std::string(chip->cluster));
  if (!chip->accelerator.empty())
    cluster.accelerator = *library.find_accelerator(std::string(chip->accelerator));
  return cluster;
}

/// Returns why a row cannot be predicted, while the others are; empty if it can.
std::string why_skipped(const CsvRow& row, const Library& library) {
  return why_unanswered(row, "gpus", [&](const std::string& name) {
    return find_chip(name) != nullptr || library.find_accelerator(name) != nullptr;
  });
}

/// Simulates the step on so many accelerators, with the plan fields that the table states.
SimulatedStep step_of(const RunsRow& row, const Model& model, const Cluster& cluster,
                      const KernelProfile& profile, int accelerators, double batch) {
  Plan request;
  std::vector<std::string_view> stated;
  const auto take = [&](std::string_view column, std::string_view name, int Plan::*size) {
    if (const auto number = row.positive(column)) {
      request.*size = static_cast<int>(*number);
      stated.push_back(name);
    }
  };
  take("tensor_parallel", "tp", &Plan::tensor_parallel_size);
  take("pipeline_parallel", "pp", &Plan::pipeline_parallel_size);
  take("context_parallel", "cp", &Plan::context_parallel_size);
  const BestPlan best = best_plan({.model = model,
                                   .cluster = cluster,
                                   .profile = profile,
                                   .accelerators = accelerators,
                                   .global_batch = batch,
                                   .request = request,
                                   .is_fixed = [&](std::string_view name) {
                                     return std::ranges::find(stated, name) != stated.end();
                                   }});
  if (!best.fits) throw InputError("no plan fits the memory");
  return simulate_step(model, best.plan, cluster, profile);
}

/// Nearest number of samples that all replicas share evenly, however many there are: 1,760 on 440
/// accelerators (MPT-7B), 1,152 on 2,304 (Nemotron-4).
double shared_batch(double samples, int accelerators) {
  int odd = accelerators;
  while (odd % 2 == 0) odd /= 2;
  return odd * std::exp2(std::max(0.0, std::round(std::log2(samples / odd))));
}

RunEstimate estimate_of(RunsRow& row, Library& library, const KernelProfile& profile) {
  const Model model = model_of_run(row);
  const Cluster cluster = cluster_of_run(row, library);
  const double samples = row.needed("tokens") / model.sequence_length;
  const auto stated_batch = row.positive("global_batch_tokens");
  const auto batch_on = [&](int accelerators) {
    const double batch =
        batch_samples(stated_batch.value_or(default_batch_tokens), model.sequence_length);
    return stated_batch ? batch : shared_batch(batch, accelerators);
  };
  const auto on = [&](int accelerators) {
    return estimate(
        {.stretches = {stretch_of(
             {}, step_of(row, model, cluster, profile, accelerators, batch_on(accelerators)),
             samples, 0, profile)}});
  };
  const auto stated = row.positive("gpus");
  int accelerators = stated ? static_cast<int>(*stated) : 8 * cluster.accelerators_per_node.value;
  RunEstimate job = on(accelerators);
  if (!stated) {
    while (job.expected.days > longest_days && accelerators < most_accelerators)
      job = on(accelerators *= 2);
    row.assume("gpus", accelerators);
  }
  if (!stated_batch) row.assume("batch", batch_on(accelerators));
  return job;
}

/// True for `steps` and `steps: WHY`.
bool are_steps_alone(std::string_view hours_hold) {
  constexpr std::string_view word = "steps";
  return hours_hold.starts_with(word) &&
         (hours_hold.size() == word.size() || hours_hold[word.size()] == ':');
}

PublishedRun simulated_run(const CsvTable& table, std::size_t index, Library& library,
                           const KernelProfile& profile) {
  PublishedRun run;
  RunsRow row(table, index, run.assumed);
  run.name = row.text("run");
  run.hours.family = row.text("model_family");
  run.accelerator = row.text("accelerator");
  run.use = row.text("score");
  run.hours_hold = row.text("hours_hold");
  run.hours.are_steps_alone = are_steps_alone(run.hours_hold);
  run.hours.hold_more = !run.hours_hold.empty() && !run.hours.are_steps_alone;
  run.location = row.location();
  if (run.use.empty() && row.text("goodput").empty()) return run;
  run.skipped_because = why_skipped(row, library);
  if (run.use.empty() || !run.skipped_because.empty()) return run;
  check_parameters(table, index);
  try {
    run.hours.stated = row.needed("gpu_hours");
    const RunEstimate job = estimate_of(row, library, profile);
    const SimulatedStep& step = *job.run->stretches.front().step->simulated();
    run.accelerators = step.plan.accelerators();
    run.hours.simulated_goodput = job.expected.goodput;
    run.hours.simulated =
        job.expected.accelerator_hours * (run.hours.are_steps_alone ? job.expected.goodput : 1);
    const Flops work{6 * row.needed("parameters_total") * row.needed("tokens")};
    run.hours.at_peak = (work / step.peak()).base() / 3600;
    run.goodput = job.expected.goodput;
    run.samples = job.samples;
    run.fastest = job.fastest;
    run.plan = plan_words(step.plan);
  } catch (const InputError& error) {
    run.skipped_because = error.what();
  }
  return run;
}

}  // namespace

std::vector<PublishedRun> simulated_runs(const std::filesystem::path& file, Library& library,
                                         const KernelProfile& profile,
                                         std::vector<std::string>* notes) {
  const CsvTable table = read_runs(file, notes);
  std::vector<PublishedRun> runs;
  for (std::size_t i = 0; i < table.rows(); ++i)
    runs.push_back(simulated_run(table, i, library, profile));
  for (const StatedGoodput& each : goodput_answer(file)) {
    RunHours& hours = runs[each.row].hours;
    hours.goodput = each.stated;
    if (runs[each.row].use.empty()) hours.simulated_goodput = each.typical.expected;
  }
  return runs;
}

RunsTable check_runs(const std::filesystem::path& file, Library& library) {
  const CsvTable table = read_runs(file);
  RunsTable checked{.rows = table.rows(), .unscored = {}};
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::vector<std::string> assumed;
    RunsRow row(table, i, assumed);
    for (const std::string_view column : needed_numbers) row.positive(column);
    for (const std::string_view column : other_numbers) row.positive(column);
    if (row.text("score").empty()) continue;
    try {
      if (const std::string why = why_skipped(row, library); !why.empty()) throw InputError(why);
      for (const std::string_view column : needed_numbers) row.needed(column);
      cluster_of_run(row, library);
    } catch (const InputError& error) {
      checked.unscored.push_back(
          fmt::format("line {}: {}: {}", row.location().line, row.text("run"), error.what()));
    }
  }
  return checked;
}

}  // namespace answers
}  // namespace tofn
