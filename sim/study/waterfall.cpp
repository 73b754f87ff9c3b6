#include "sim/study/waterfall.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/study/workload_study.hpp"

namespace tofn {
inline namespace study {
namespace {

using BacktestRows = std::vector<const BacktestRow*>;

double accelerators(const BacktestRow& row) { return row.row.inputs.accelerators; }

bool can_be_explained(const BacktestRow& row) {
  const RowOutcome& outcome = row.row.outcome;
  return row.prediction && row.role != Role::Skipped && outcome.official_minutes &&
         outcome.samples && outcome.step_ms && outcome.startup_seconds;
}

const BacktestRow* base_of(const BacktestRow& large, std::span<const BacktestRow> rows) {
  BacktestRows servers;
  for (const BacktestRow& row : rows)
    if (can_be_explained(row) && row.workload == large.workload &&
        row.accelerator == large.accelerator && accelerators(row) == server_accelerators)
      servers.push_back(&row);
  if (servers.empty()) return nullptr;
  std::ranges::stable_sort(servers, [](const auto* a, const auto* b) {
    return *a->row.outcome.official_minutes < *b->row.outcome.official_minutes;
  });
  for (const BacktestRow* server : servers)
    if (server->row.inputs.organisation == large.row.inputs.organisation) return server;
  return servers[(servers.size() - 1) / 2];
}

RunFactors factors(double samples, double stepping, double evaluating, double starting,
                   double score, double count) {
  return {.samples = samples,
          .step = stepping * count / samples,
          .evaluation = (stepping + evaluating) / stepping,
          .start_up = (stepping + evaluating + starting) / (stepping + evaluating),
          .score = score / (stepping + evaluating + starting)};
}

RunFactors measured_factors(const BacktestRow& row, bool evaluations_apart) {
  const RowOutcome& outcome = row.row.outcome;
  const double stepping = *outcome.samples / row.row.inputs.global_batch * *outcome.step_ms / 1e3;
  const double evaluating = outcome.evaluation_exposed_minutes.value_or(0) * 60;
  return factors(*outcome.samples, evaluations_apart ? stepping : stepping + evaluating,
                 evaluations_apart ? evaluating : 0, *outcome.startup_seconds,
                 *outcome.official_minutes * 60, accelerators(row));
}

RunFactors predicted_factors(const BacktestRow& row) {
  const RunBreakdown& run = *row.prediction;
  return factors(run.samples, run.stepping().base(), run.evaluation.time.base(),
                 run.beside_steps().base(), run.total().time.base(), accelerators(row));
}

StepFactors step_factors(const BacktestRow& row) {
  const StepTimes& step = row.prediction->step;
  const double work = step.computation().base();
  const double exposed = step.exposed().time.base();
  const double waiting = step.waiting().base();
  return {.work = work * accelerators(row) / row.row.inputs.global_batch,
          .communication = (work + exposed) / work,
          .waiting = (work + exposed + waiting) / (work + exposed)};
}

Losses losses(const RunFactors& base, const RunFactors& large) {
  Losses lost{.samples = base.samples / large.samples,
              .step = base.step / large.step,
              .evaluation = base.evaluation / large.evaluation,
              .start_up = base.start_up / large.start_up,
              .score = base.score / large.score};
  lost.total = lost.samples * lost.step * lost.evaluation * lost.start_up * lost.score;
  return lost;
}

StepLosses step_losses(const StepFactors& base, const StepFactors& large) {
  return {.granularity = base.work / large.work,
          .communication = base.communication / large.communication,
          .waiting = base.waiting / large.waiting};
}

Waterfall waterfall(const BacktestRow& base, const BacktestRow& large) {
  const bool apart = large.row.outcome.evaluation_exposed_minutes.has_value() &&
                     base.row.outcome.evaluation_exposed_minutes.has_value();
  const Losses measured = losses(measured_factors(base, apart), measured_factors(large, apart));
  const Losses predicted = losses(predicted_factors(base), predicted_factors(large));
  return {.workload = large.workload,
          .accelerator = large.accelerator,
          .system = large.row.full_name(),
          .base_system = base.row.full_name(),
          .accelerators = large.row.inputs.accelerators,
          .evaluations_apart = apart,
          .measured = measured,
          .predicted = predicted,
          .predicted_step = step_losses(step_factors(base), step_factors(large)),
          .server = measured.step / predicted.step};
}

}  // namespace

std::vector<Waterfall> waterfalls(std::span<const BacktestRow> rows) {
  std::vector<const BacktestRow*> large;
  std::map<std::string, std::size_t> order;  // of the workloads
  for (const BacktestRow& row : rows) {
    order.emplace(row.workload, order.size());
    if (can_be_explained(row) && !row.repeats_another_row && row.contradiction.empty() &&
        row.row.inputs.accelerators > server_accelerators)
      large.push_back(&row);
  }
  std::ranges::stable_sort(large, [&](const auto* a, const auto* b) {
    return std::pair(order[a->workload], a->row.inputs.accelerators) <
           std::pair(order[b->workload], b->row.inputs.accelerators);
  });
  std::vector<Waterfall> explained;
  for (const BacktestRow* row : large)
    if (const BacktestRow* base = base_of(*row, rows)) explained.push_back(waterfall(*base, *row));
  return explained;
}

}  // namespace study
}  // namespace tofn
