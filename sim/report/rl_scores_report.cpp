#include "sim/report/rl_scores_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/accuracy_table.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A line of one of both tables.
struct ScoreLine {
  std::string what;  ///< `RL step` or `generation`
  std::string id;
  std::string model;
  std::string chip;
  int accelerators = 0;
  std::string unit;
  Scored scored;
  std::string limit{};
  std::string left_out{};

  double low() const { return (*scored.intervals).back().low; }
  double high() const { return (*scored.intervals).back().high; }
  bool is_inside() const { return (*scored.intervals).back().contains(scored.measured); }
};

std::vector<ScoreLine> rl_lines_of(const RlScores& scores) {
  std::vector<ScoreLine> lines;
  for (const ScoredRl& each : scores.steps)
    lines.push_back({"RL step", each.row.id, each.row.model, each.row.chip, each.row.accelerators,
                     "s", each.scored(), each.limit, each.row.left_out});
  for (const ScoredDecode& each : scores.rates)
    lines.push_back({"generation", each.row.id, each.row.model, each.row.chip,
                     each.row.accelerators, each.row.seen->is_latency ? "s/token" : "tokens/s/GPU",
                     each.scored()});
  return lines;
}

TableColumns<ScoreLine> rl_score_columns() {
  using Line = ScoreLine;
  return {
      {"score", &Line::what, "quantity that the row measures: an RL step or a rate of generation"},
      {"id", &Line::id, left("row"), "name of the row in its table"},
      {"model", &Line::model},
      {"accelerator", &Line::chip, left("chip")},
      {"accelerators", &Line::accelerators, right("N")},
      {"unit", &Line::unit, left("unit")},
      {"measured", of_its(&Line::scored, &Scored::measured), right("measured", short_figure)},
      {"predicted", of_its(&Line::scored, &Scored::predicted), right("predicted", short_figure),
       "prediction by figures that were fitted to the rows of other models"},
      {"error", of_its(&Line::scored, &Scored::error), right("err %", signed_percent)},
      {"low90", &Line::low, "lower end of the 90 % interval"},
      {"high90", &Line::high, "upper end of the 90 % interval"},
      {"inside", &Line::is_inside,
       right("inside", [](double in) { return in > 0 ? "yes" : "no"; })},
      {"limit", &Line::limit, left("rests on"),
       "limit of the predicted step: training, generation, the longest responses, or both sides in "
       "turn"},
      {"left_out", &Line::left_out, left("shown only, since"),
       "reason why the row is shown and not scored; empty: it is scored"}};
}

/// Adds a line for all these rows, and one for each model.
template <class Row>
void add_models(AccuracyTable& table, const char* what, const std::vector<const Row*>& rows) {
  std::vector<Scored> all;
  for (const Row* each : rows) all.push_back(each->scored());
  table.add(what, all);
  table.add_groups(" ", rows, [](const Row& each) { return each.row.model; });
}

std::string rl_accuracy_text(const RlScores& scores) {
  AccuracyTable table("", screen_accuracy_columns());
  std::vector<const ScoredRl*> steps;
  for (const ScoredRl& each : scores.steps)
    if (each.is_scored()) steps.push_back(&each);
  std::vector<const ScoredDecode*> rates;
  for (const ScoredDecode& each : scores.rates) rates.push_back(&each);
  add_models(table, "RL steps", steps);
  add_models(table, "generation", rates);
  return table.render();
}

std::string rl_pairs_text(const RlScores& scores) {
  const auto agree =
      std::ranges::count_if(scores.pairs, [](const RlPair& pair) { return pair.agrees(); });
  return note("pairs", fmt::format("{} of {} pairs of an on- and an off-policy row of one job have "
                                   "the measured order of tokens/s/GPU",
                                   agree, scores.pairs.size()));
}

std::string rl_fitted_text(const RlScores& scores) {
  const EngineFigures& engine = scores.engine;
  const RlFigures& rl = scores.rl;
  return note("engine",
              fmt::format("memory {:.3f} and products {:.3f} of the datasheet's rates, of "
                          "experts {:.3f}; {:.1f} us a branch, {:.1f} us a sequence",
                          engine.memory_share, engine.product_share, engine.expert_share,
                          engine.branch.base() * 1e6, engine.sequence.base() * 1e6)) +
         note("RL",
              fmt::format("training takes {:.3f} times as long as simulated, with experts {:.3f} "
                          "times and {:.3f} ms or more a branch; {:.1f} ms more for each billion "
                          "parameters; {:.2f} ms of the host an iteration",
                          rl.dense_slowdown, rl.mixture_slowdown, rl.mixture_branch.base() * 1e3,
                          rl.for_parameter.base() * 1e12, rl.host.base() * 1e3)) +
         note("deviation",
              fmt::format("{:.3f} of the logarithm of a step, {:.3f} of that of a rate",
                          scores.step_deviation, scores.rate_deviation));
}

}  // namespace

AnswerText rl_scores_text(const RlScores& scores) {
  AnswerText text;
  text.screen = rl_accuracy_text(scores) + '\n' + rl_pairs_text(scores) +
                note("protocol",
                     "each row is predicted by figures fitted to the rows of other "
                     "models, of both tables") +
                note("coverage",
                     fmt::format("{:.1f} % of RL steps and {:.1f} % of rates lie in 90 % intervals "
                                 "if each model counts alike",
                                 100 * scores.steps_inside, 100 * scores.rates_inside)) +
                rl_fitted_text(scores) + listed_note("next", {"--details for each row"});
  text.details = table_text(rl_score_columns(), rl_lines_of(scores));
  for (const RlPair& pair : scores.pairs)
    text.details += note(pair.agrees() ? "pair" : "PAIR",
                         fmt::format("{} over {}: {:.2f} x measured, {:.2f} x predicted", pair.off,
                                     pair.on, pair.measured, pair.predicted));
  for (const RlRow& row : scores.left_out)
    text.details += note("left out", row.id + ": " + row.left_out);
  for (const DecodeRow& row : scores.rates_left_out)
    text.details += note("left out", row.id + ": " + row.left_out);
  text.details += disclosed_text("rl");
  return text;
}

ExplainedRecords rl_scores_records(const RlScores& scores) {
  return records_of(rl_score_columns(), rl_lines_of(scores));
}

}  // namespace report
}  // namespace tofn
