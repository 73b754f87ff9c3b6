#include "sim/answers/scorecard_answer.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/answers/energy_answer.hpp"
#include "sim/answers/plan_order_answer.hpp"
#include "sim/answers/published_answer.hpp"
#include "sim/answers/rl_scores_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/core/parallel.hpp"
#include "sim/diagnosis/detection.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
inline namespace answers {
namespace {

using Rows = std::vector<ScorecardRow>;
using Path = std::filesystem::path;

/// Returns one row; none if nothing was scored.
Rows row_of(std::string what, std::string of, const std::vector<Scored>& scored) {
  if (scored.empty()) return {};
  return {{.what = std::move(what), .of = std::move(of), .accuracy = accuracy_of(scored)}};
}

void add(Rows& rows, Rows more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

/// Scores the tables in which lint finds no fault, as `validate collectives` does.
Rows collectives(const Path& configs, const ScoringProtocol& protocol) {
  Library library = Library::load(configs);
  std::vector<std::string> unread;
  const auto tables = read_all_tables(files_at(configs / "calibrations"), unread);
  const Scores scores = protocol.score(
      tables, protocol.needs_knowledge ? knowledge_of(library, configs, {}) : Knowledge{});
  std::vector<Scored> scored;
  for (const ScoredRow& row : scores.rows)
    if (row.fault.empty()) scored.push_back(row.scored());
  return row_of(fmt::format("collectives {}", protocol.name), "time", scored);
}

/// Returns a row `what, KEY` for each key of these items, in the order of the keys.
template <class Item, class KeyOf>
Rows rows_by(const std::string& what, const std::string& of, const std::vector<const Item*>& items,
             KeyOf key_of) {
  std::map<std::string, std::vector<Scored>> groups;
  for (const Item* item : items) groups[key_of(*item)].push_back(item->scored());
  Rows rows;
  for (const auto& [key, members] : groups)
    add(rows, row_of(fmt::format("{}, {}", what, key), of, members));
  return rows;
}

/// Scores peaks of memory, also of steps that were not scored.
Rows memory(const std::vector<ScoredStep>& steps) {
  std::vector<Scored> all;
  std::map<std::string, std::vector<Scored>> of_stack;
  for (const ScoredStep& step : steps) {
    if (!step.memory) continue;
    all.push_back(
        {.measured = step.memory->measured.base(), .predicted = step.memory->predicted.base()});
    of_stack[step.stack].push_back(all.back());
  }
  Rows rows = row_of("memory", "peak of the most loaded accelerator", all);
  for (const auto& [stack, peaks] : of_stack)
    add(rows, row_of(fmt::format("memory, stack {}", stack), "peak of the most loaded accelerator",
                     peaks));
  return rows;
}

/// Share of pairs of plans that are predicted in the wrong order.
Rows plans(const std::vector<ScoredStep>& steps) {
  const auto groups = plan_groups(steps);
  const auto pairs = pairs_of(groups);
  if (pairs.empty()) return {};
  double wrong = 0;
  for (const PlanPair& pair : pairs) wrong += 1 - pair.share_right(plan_rules.front());
  const double share = wrong / static_cast<double>(pairs.size());
  return {{.what = "plans",
           .of = "pairs in the wrong order",
           .accuracy = {.count = pairs.size(), .mean = share, .median = share}}};
}

/// Rows of all protocols, each by stack and by accelerator; these include every trust class.
Rows steps(const Path& configs) {
  Rows rows;
  const auto answers = steps_by_each_protocol(configs, tables_of_steps(configs));
  for (std::size_t i = 0; i < step_protocols.size(); ++i) {
    const std::string name = fmt::format("steps {}", step_protocols[i].first);
    std::vector<const ScoredStep*> all;
    std::vector<Scored> firm;
    for (const ScoredStep& step : answers[i]) {
      if (!step.skipped_because.empty()) continue;
      all.push_back(&step);
      if (step.trust != "C") firm.push_back(step.scored());
    }
    add(rows, row_of(name, "step, trust A and B", firm));
    add(rows, rows_by(name, "step", all, [](const ScoredStep& s) { return "stack " + s.stack; }));
    add(rows,
        rows_by(name, "step", all, [](const ScoredStep& s) { return "on " + s.accelerator; }));
  }
  add(rows, memory(answers.front()));
  add(rows, plans(answers.front()));
  return rows;
}

std::optional<double> mean_error(const std::vector<Scored>& scored) {
  if (scored.empty()) return {};
  return accuracy_of(scored).mean;
}

/// Rows of all runs of a protocol, and under the standing one also by table, benchmark and
/// accelerator.
Rows published(const Path& configs, std::string_view name, CalibrationRule rule) {
  Shipped shipped(configs);
  const auto runs = published_answer(shipped, published_tables(configs), rule);
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
    add(rows, chosen(fmt::format("published {}, {}", name, table.stem().string()),
                     [&](const ScoredRun& run) { return run.table == table.stem().string(); }));
  std::vector<const ScoredRun*> scored;
  for (const ScoredRun& run : runs)
    if (run.skipped_because.empty()) scored.push_back(&run);
  const std::string what = fmt::format("published {}", name);
  add(rows, rows_by(what, "time to train", scored, [](const ScoredRun& r) { return r.benchmark; }));
  add(rows, rows_by(what, "time to train", scored,
                    [](const ScoredRun& r) { return "on " + r.accelerator; }));
  return rows;
}

Rows runs(const Path& configs) {
  std::vector<Scored> scored;
  std::vector<Scored> pooled;
  for (const PublishedRun& run : runs_answer(configs, configs / "measured" / "training-runs.csv")) {
    if (!run.skipped_because.empty() || !is_whole(run)) continue;
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
  Shipped shipped(configs);
  for (const MeteredRun& run : energy_answer(shipped, configs / "measured" / "mlperf-power.csv")) {
    if (run.use != "held out") continue;
    energy.push_back(
        {.measured = run.energy.base(), .predicted = run.predicted_energy().nodes().base()});
    power.push_back({.measured = run.power().base(), .predicted = run.predicted_power().base()});
  }
  Rows rows = row_of("energy", "kWh of held-out runs", energy);
  add(rows, row_of("energy, power", "W of their nodes", power));
  return rows;
}

/// RL steps and rates of generation, also by model.
Rows rl(const Path& configs) {
  const RlScores scores = rl_scores_answer(configs, shipped_rl_tables(configs));
  std::vector<Scored> steps;
  std::vector<const ScoredRl*> scored_steps;
  for (const ScoredRl& each : scores.steps)
    if (each.is_scored()) {
      steps.push_back(each.scored());
      scored_steps.push_back(&each);
    }
  std::vector<Scored> rates;
  std::vector<const ScoredDecode*> scored_rates;
  for (const ScoredDecode& each : scores.rates) {
    rates.push_back(each.scored());
    scored_rates.push_back(&each);
  }
  Rows rows = row_of("rl steps", "step", steps);
  add(rows, rows_by("rl steps", "step", scored_steps,
                    [](const ScoredRl& each) { return each.row.model; }));
  add(rows, row_of("rl rates", "generation", rates));
  add(rows, rows_by("rl rates", "generation", scored_rates,
                    [](const ScoredDecode& each) { return each.row.model; }));
  return rows;
}

/// Share of tables twice as slow that are missed, if one healthy table in twenty is called slow.
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
            {.what = fmt::format("detection, {} system", is_known ? "known" : "unknown"),
             .of = "tables twice as slow, missed",
             .accuracy = {.count = rate.tables, .mean = 1 - rate.found, .median = 1 - rate.found}});
  return rows;
}

/// Names of the disclosures that apply to a row such as `steps unknown-stack, stack nemo`.
std::string disclosed(const std::string& what) {
  const auto comma = what.find(", ");  // separates the group; a row without one is about all
  const std::string head = what.substr(0, comma);
  const auto space = head.find(' ');
  const std::string score = head.substr(0, space);
  const std::string protocol = space == std::string::npos ? "" : head.substr(space + 1);
  const bool is_of_all = comma == std::string::npos || score == "energy";
  if (is_of_all) return names_of(disclosures_of(score, protocol));
  std::string key = what.substr(comma + 2);
  if (key.starts_with("stack ")) key = key.substr(6);
  return not_blind(score, protocol, {key});
}

}  // namespace

std::vector<ScorecardRow> scorecard_answer(const std::filesystem::path& configs,
                                           const OnProgress& on_progress) {
  std::vector<std::function<Rows()>> parts;
  parts.emplace_back([&] { return steps(configs); });  // first, because it takes longest
  parts.emplace_back([&] { return detection(configs); });
  for (const ScoringProtocol& protocol : protocols())
    parts.emplace_back([&] { return collectives(configs, protocol); });
  for (const auto& [name, rule] : published_protocols)
    parts.emplace_back(
        [&configs, name = name, rule = rule] { return published(configs, name, rule); });
  parts.emplace_back([&] { return runs(configs); });
  parts.emplace_back([&] { return energy(configs); });
  parts.emplace_back([&] { return rl(configs); });
  std::vector<Rows> found(parts.size());
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(parts.size(), [&](std::size_t i) {
    found[i] = parts[i]();
    const std::lock_guard lock(mutex);
    ++done;
    if (on_progress) on_progress(done, parts.size());
  });
  std::rotate(found.begin() + 1, found.begin() + 2, found.end());  // detection is printed last
  Rows rows;
  for (Rows& each : found) add(rows, std::move(each));
  for (ScorecardRow& row : rows) row.not_blind = disclosed(row.what);
  return rows;
}

}  // namespace answers
}  // namespace tofn
