#include "sim/report/rl_plan_report.hpp"

#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "sim/core/words.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/plan_candidates.hpp"
#include "sim/report/rl_columns.hpp"
#include "sim/report/run_screen.hpp"

namespace tofn {
inline namespace report {
namespace {

struct RlPlanLine : RlLine {
  bool is_shown = false;
};

std::vector<RlPlanLine> rl_plan_lines(const RlChoice& choice) {
  std::vector<RlPlanLine> lines;
  for (const RlCandidate& each : choice.candidates)
    lines.push_back({{&each.request, &each.point}, &each == &choice.shown()});
  return lines;
}

/// The columns of each run, after one that marks the run that is shown.
TableColumns<RlPlanLine> rl_plan_columns() {
  TableColumns<RlPlanLine> columns;
  columns.emplace_back(
      left("", [](const RlPlanLine& line) -> std::string { return line.is_shown ? ">" : ""; }));
  for (auto& column : rl_columns()) {
    TableColumn<RlPlanLine> wide(column.name, column.value, column.meaning);
    wide.head = column.head;
    if (column.cell) wide.cell = column.cell;
    columns.push_back(std::move(wide));
  }
  return columns;
}

/// The best line of each number of accelerators of each cluster, up to as many as a screen shows.
std::vector<RlPlanLine> shown_lines(const RlChoice& choice) {
  constexpr std::size_t most = 16;
  std::set<std::pair<std::string, int>> seen;
  std::vector<RlPlanLine> lines;
  for (const RlPlanLine& line : rl_plan_lines(choice))
    if ((seen.emplace(line.request->cluster.name, line.point->accelerators).second &&
         lines.size() < most) ||
        line.is_shown)
      lines.push_back(line);
  return lines;
}

}  // namespace

AnswerText rl_plan_text(const RlSearch& search, const RlChoice& choice,
                        const std::string& command) {
  const RlCandidate& shown = choice.shown();
  std::string text = stopped_text(choice.not_tried) +
                     fmt::format("{}, {} of GRPO, {} {} x {} ({}), {}\n", search.request.title(),
                                 counted(std::llround(*search.request.rl.steps), "step"),
                                 choice.best ? fmt::format("least {}:", search.by.name)
                                             : none_keeps_text(choice.not_tried),
                                 shown.point.accelerators, shown.request.cluster.accelerator.name,
                                 shown.request.cluster.name, run_headline(shown.point));
  if (!search.request.limits.empty())
    text += fmt::format("{}; {}\n", chance_words(shown.point, search.request.limits),
                        choice.best
                            ? "the first that keeps it"
                            : fmt::format("NONE keeps it with {:.0f} %", 100 * search.confidence));
  const auto columns = rl_plan_columns();
  const char* const unasked = search.request.limits.empty() ? "chance %" : "limit";
  text += '\n' + table_text(columns, shown_lines(choice),
                            {"updates s", "logprobs s", "refit s", "others s", "rollout s", "limit",
                             "from", "to", "tokens/s each", unasked});
  text += '\n';
  if (!search.request.rl.steps_off && !search.request.rl.generators)
    text += note("assumed",
                 "responses that are one step off train as well in as many steps (--steps-off 0)");
  const auto left_out = choice.left_out.size();
  if (left_out > 0)
    text +=
        note("left out", fmt::format("{}{}", choice.left_out.front(),
                                     left_out > 1 ? fmt::format("; {} more", left_out - 1) : ""));
  text += note("next", command);
  std::string details = table_text(columns, rl_plan_lines(choice));
  for (const std::string& each : choice.left_out) details += note("left out", each);
  return {.screen = text, .details = details};
}

ExplainedRecords rl_plan_records(const RlChoice& choice) {
  return with_run_figures(rl_plan_columns(), rl_plan_lines(choice));
}

}  // namespace report
}  // namespace tofn
