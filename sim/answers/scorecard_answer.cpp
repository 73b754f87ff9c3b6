#include "sim/answers/scorecard_answer.hpp"

#include <cmath>
#include <functional>
#include <iterator>

#include <fmt/format.h>

#include "sim/answers/collective_tables.hpp"
#include "sim/answers/energy_answer.hpp"
#include "sim/answers/knowledge.hpp"
#include "sim/answers/published_answer.hpp"
#include "sim/answers/published_data.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/core/parallel.hpp"
#include "sim/validation/detection.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
inline namespace answers {
namespace {

using Rows = std::vector<ScorecardRow>;
using Path = std::filesystem::path;

/// A row of these; none where nothing was scored.
Rows row_of(std::string what, std::string of, const std::vector<Scored>& scored) {
  if (scored.empty()) return {};
  return {{.what = std::move(what), .of = std::move(of), .accuracy = accuracy_of(scored)}};
}

/// Tables that lint trusts, as `validate collectives` sums them up.
Rows collectives(const Path& configs, const ScoringProtocol& protocol) {
  Library library = Library::load(configs);
  std::vector<std::string> unread;
  const auto tables = read_all_tables(files_at(configs / "calibrations"), unread);
  const Scores scores = protocol.score(
      tables, protocol.needs_knowledge ? knowledge_of(library, configs, {}) : Knowledge{});
  std::vector<Scored> scored;
  for (const ScoredRow& row : scores.rows)
    if (row.fault.empty())
      scored.push_back(
          within(row.measured.base(), row.predicted.base(), {row.low.base(), row.high.base()}));
  return row_of(fmt::format("collectives {}", protocol.name), "time", scored);
}

Rows steps(const Path& configs, std::string_view name, StepProtocol protocol) {
  std::vector<Scored> scored;
  for (const ScoredStep& step : steps_answer(configs, tables_of_steps(configs), protocol))
    if (step.skipped_because.empty() && step.trust != "C") scored.push_back(step.scored());
  return row_of(fmt::format("steps {}", name), "step, trust A and B", scored);
}

std::optional<double> mean_error(const std::vector<Scored>& scored) {
  if (scored.empty()) return {};
  return accuracy_of(scored).mean;
}

/// All runs of a protocol, and under the standing one those of each table.
Rows published(const Path& configs, std::string_view name, CalibrationRule rule) {
  const auto runs = published_answer(configs, published_tables(configs), rule);
  const auto chosen = [&](std::string what, auto is_chosen) {
    std::vector<Scored> scored;
    std::vector<Scored> linear;
    for (const ScoredRun& run : runs) {
      if (!run.skipped_because.empty() || !is_chosen(run)) continue;
      scored.push_back(run.time);
      if (run.linear) linear.push_back({.measured = run.time.measured, .predicted = *run.linear});
    }
    Rows rows = row_of(std::move(what), "time to train", scored);
    for (ScorecardRow& row : rows)
      if ((row.baseline_mean = mean_error(linear))) row.baseline = "8-accelerator score x 8/N";
    return rows;
  };
  const auto all = [](const ScoredRun&) { return true; };
  Rows rows = chosen(fmt::format("published {}", name), all);
  if (rule != CalibrationRule::OneNode) return rows;
  for (const auto& table : published_tables(configs))
    for (ScorecardRow& row :
         chosen(fmt::format("published {}, {}", name, table.stem().string()),
                [&](const ScoredRun& run) { return run.table == table.stem().string(); }))
      rows.push_back(std::move(row));
  return rows;
}

Rows runs(const Path& configs) {
  std::vector<Scored> scored;
  std::vector<Scored> pooled;
  for (const PublishedRun& run : runs_answer(configs, configs / "measured" / "training-runs.csv")) {
    if (!run.skipped_because.empty()) continue;
    scored.push_back(within(run.hours.stated, run.predicted(), {run.low(), run.high()}));
    pooled.push_back({.measured = run.hours.stated, .predicted = run.pooled_hours});
  }
  Rows rows = row_of("runs", "accelerator-hours", scored);
  for (ScorecardRow& row : rows) {
    row.baseline = "one utilisation for all";
    row.baseline_mean = mean_error(pooled);
  }
  return rows;
}

Rows energy(const Path& configs) {
  std::vector<Scored> energy;
  std::vector<Scored> power;
  for (const MeteredRun& run : energy_answer(configs, configs / "measured" / "mlperf-power.csv")) {
    if (run.use != "held out") continue;
    energy.push_back(
        {.measured = run.energy.base(), .predicted = run.predicted_energy().nodes().base()});
    power.push_back({.measured = run.power().base(), .predicted = run.predicted_power().base()});
  }
  Rows rows = row_of("energy", "kWh of held-out runs", energy);
  for (ScorecardRow& row : row_of("energy, power", "W of their nodes", power))
    rows.push_back(std::move(row));
  return rows;
}

/// What is missed of tables twice as slow, where one healthy one in twenty is called slow.
Rows detection(const Path& configs) {
  constexpr double false_alarms = 0.05;
  constexpr double twice = 2;
  Library library = Library::load(configs);
  const auto trials = detection_trials(knowledge_of(library, configs, {}));
  Rows rows;
  for (const bool is_known : {true, false})
    for (const DetectionRate& rate : summary_of(trials, is_known, false_alarms).rates)
      if (rate.fault.factor == twice && !rate.fault.is_above_a_size)
        rows.push_back(
            {.what = fmt::format("detection, {} make", is_known ? "known" : "unknown"),
             .of = "tables twice as slow, missed",
             .accuracy = {.count = rate.tables, .mean = 1 - rate.found, .median = 1 - rate.found}});
  return rows;
}

}  // namespace

std::vector<ScorecardRow> scorecard_answer(const std::filesystem::path& configs) {
  std::vector<std::function<Rows()>> parts;
  for (const ScoringProtocol& protocol : protocols())
    parts.emplace_back([&] { return collectives(configs, protocol); });
  for (const auto& [name, protocol] : step_protocols)
    parts.emplace_back(
        [&configs, name = name, protocol = protocol] { return steps(configs, name, protocol); });
  for (const auto& [name, rule] : published_protocols)
    parts.emplace_back(
        [&configs, name = name, rule = rule] { return published(configs, name, rule); });
  parts.emplace_back([&] { return runs(configs); });
  parts.emplace_back([&] { return energy(configs); });
  parts.emplace_back([&] { return detection(configs); });
  std::vector<Rows> found(parts.size());
  in_parallel(parts.size(), [&](std::size_t i) { found[i] = parts[i](); });
  Rows rows;
  for (Rows& each : found)
    rows.insert(rows.end(), std::make_move_iterator(each.begin()),
                std::make_move_iterator(each.end()));
  return rows;
}

}  // namespace answers
}  // namespace tofn
