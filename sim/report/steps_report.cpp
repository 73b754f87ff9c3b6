#include "sim/report/steps_report.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/statistics.hpp"
#include "sim/report/accuracy_table.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/left_out_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords steps_records(const std::vector<ScoredStep>& steps, StepProtocol protocol) {
  using Step = ScoredStep;
  const auto scored = [](auto figure) {
    return [figure](const Step& s) {
      return s.skipped_because.empty() ? std::optional(figure(s)) : std::nullopt;
    };
  };
  const auto ninety = [](const Step& s) { return s.scored().intervals->back(); };
  const auto measured = [](const Step& s) {
    return s.measured > 0 ? std::optional(s.measured) : std::nullopt;
  };
  const auto of_memory = [](auto... figure) { return of_its(&Step::memory, figure...); };
  const TableColumns<Step> columns{
      {"stack", &Step::stack},
      {"model", &Step::model},
      {"accelerator", &Step::accelerator},
      {"precision", &Step::precision},
      {"accelerators", &Step::accelerators},
      {"source", &Step::source},
      {"trust", &Step::trust, "trust in the source, A, B or C: how much of the step it states"},
      {"measured_s", measured},
      {"predicted_s", scored([](const Step& s) { return s.predicted; })},
      {"low90_s", scored([=](const Step& s) { return ninety(s).low; })},
      {"high90_s", scored([=](const Step& s) { return ninety(s).high; })},
      {"peak_reading", of_memory(&ScoredMemory::reading),
       "reading that the source calls peak memory: allocated, reserved or device"},
      {"measured_peak_gb", of_memory(&ScoredMemory::measured, gigabytes),
       "peak memory as measured"},
      {"predicted_peak_gb", of_memory(&ScoredMemory::predicted, gigabytes),
       "peak memory as predicted"},
      {"skipped_because", [](const Step& s) { return known(s.skipped_because); }},
      {"not_blind",
       [=](const Step& s) { return known(not_blind("steps", name_of(protocol), {s.stack})); }},
      {"peak_not_blind", of_memory([](const ScoredMemory&) { return not_blind("memory", "", {}); }),
       "choices behind the score of the memory that were made while it was seen"}};
  return records_of(columns, steps);
}

namespace {

struct MemoryText {
  std::string line{};   ///< for all rows that state a peak; empty if none does
  std::string table{};  ///< by the meaning of the stated peak
};

MemoryText memory_text(const std::vector<ScoredStep>& steps) {
  std::vector<double> all;
  std::map<std::string, std::vector<double>> groups;
  for (const ScoredStep& step : steps) {
    if (!step.memory) continue;
    all.push_back(step.memory->error());
    groups[fmt::format("{}, {}", name_of(step.memory->reading), step.stack)].push_back(all.back());
  }
  if (all.empty()) return {};
  AccuracyTable table(
      "peak memory",
      {right("n", &Accuracy::count), right("mean", &Accuracy::mean, percent),
       right("median", &Accuracy::median, percent), right("worst", &Accuracy::worst, percent),
       right("bias", &Accuracy::bias, signed_percent)});
  table.add("all", accuracy_of(all));
  for (const auto& [name, errors] : groups) table.add(name, accuracy_of(errors));
  const Accuracy accuracy = accuracy_of(all);
  return {note("peak memory", fmt::format("of {} steps: {}", all.size(), accuracy_words(accuracy))),
          table.render() + note("peak", "of the most loaded accelerator, as the stack reports it") +
              disclosed_text("memory")};
}

/// Returns the quarter of a step among all by its predicted deviation, which is large far from the
/// fitted steps.
std::function<std::string(const ScoredStep&)> quarters_of(
    const std::vector<const ScoredStep*>& steps) {
  std::vector<double> deviations;
  for (const ScoredStep* step : steps) deviations.push_back(step->deviation);
  std::ranges::sort(deviations);
  return [deviations](const ScoredStep& step) {
    constexpr std::array<const char*, 4> names{"1, nearest quarter", "2", "3",
                                               "4, farthest quarter"};
    const auto place = std::lower_bound(deviations.begin(), deviations.end(), step.deviation);
    const auto rank = static_cast<std::size_t>(place - deviations.begin());
    return std::string(names[std::min<std::size_t>(3, 4 * rank / deviations.size())]);
  };
}

std::vector<LeftOutRow> skipped_steps(const std::vector<ScoredStep>& steps) {
  return left_out_rows(steps, &ScoredStep::location, [](const ScoredStep&) { return ""; });
}

}  // namespace

std::string left_out_steps(const std::vector<ScoredStep>& steps) {
  return left_out_text(skipped_steps(steps));
}

AnswerText steps_text(const std::vector<ScoredStep>& steps, StepProtocol protocol) {
  std::vector<const ScoredStep*> scored;
  for (const ScoredStep& step : steps)
    if (step.skipped_because.empty()) scored.push_back(&step);
  std::vector<Scored> all;
  std::vector<Scored> firm;
  for (const ScoredStep* step : scored) {
    all.push_back(step->scored());
    if (step->trust != "C") firm.push_back(step->scored());
  }
  AccuracyTable groups("error in %", screen_accuracy_columns());
  AccuracyTable table("steps");
  for (AccuracyTable* each : {&groups, &table}) {
    each->add("all", all);
    if (firm.size() < all.size()) each->add("trust A and B", firm);
    each->add_groups("stack", scored, [](const ScoredStep& s) { return s.stack; });
  }
  table.add_groups("on", scored,
                   [](const ScoredStep& s) { return s.accelerator + ' ' + s.precision; });
  table.add_groups("layers", scored, [](const ScoredStep& s) {
    return s.has_experts ? "of experts" : "without experts";
  });
  table.add_groups("reach", scored, quarters_of(scored));
  table.add_groups("N", scored, [](const ScoredStep& s) { return size_class(s.accelerators); });
  const MemoryText memory = memory_text(steps);
  AnswerText text;
  text.screen = fmt::format("{} measured steps ({}): {}\n\n", all.size(), name_of(protocol),
                            accuracy_words(accuracy_of(all))) +
                groups.render() + '\n' + memory.line +
                note("left out", fmt::format("{} rows (--details)", skipped_steps(steps).size())) +
                listed_note("next", {"--details for accelerators, sizes and what is in-sample",
                                     "--protocol NAME", "tofn validate plans"});
  text.details = table.render() +
                 note("score", "of the 90 % range, lower is better; half-width: of that range") +
                 note("reach",
                      "by the width of the range, from what was fitted nearby to what was "
                      "fitted far away") +
                 memory.table + left_out_steps(steps) + disclosed_text("steps", name_of(protocol));
  return text;
}

}  // namespace report
}  // namespace tofn
