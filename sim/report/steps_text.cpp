#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "sim/core/statistics.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/steps_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

using Chosen = std::vector<const ScoredStep*>;

/// Share of steps that lie inside their interval.
double held(const Chosen& steps, double share) {
  const double deviations = normal_quantile((1 + share) / 2);
  const auto inside = std::count_if(steps.begin(), steps.end(), [&](const ScoredStep* s) {
    return s->end(-deviations) <= s->measured && s->measured <= s->end(deviations);
  });
  return static_cast<double>(inside) / static_cast<double>(steps.size());
}

/// Of the 90 % interval of the logarithm: its width, and what lies outside times 20 (Gneiting and
/// Raftery, "Strictly proper scoring rules", 2007).
double interval_score(const ScoredStep& step) {
  const double measured = std::log(step.measured);
  const double low = std::log(step.end(-ninety_percent_deviations));
  const double high = std::log(step.end(ninety_percent_deviations));
  return high - low + 20 * (std::max(0.0, low - measured) + std::max(0.0, measured - high));
}

std::vector<std::string> cells_of(std::string name, const Chosen& steps) {
  std::vector<double> errors;
  std::vector<double> absolute;
  std::vector<double> widths;
  std::vector<double> scores;
  for (const ScoredStep* step : steps) {
    errors.push_back(step->error());
    absolute.push_back(std::abs(step->error()));
    widths.push_back(std::exp(ninety_percent_deviations * step->deviation) - 1);
    scores.push_back(interval_score(*step));
  }
  return {std::move(name),
          fmt::format("{}", steps.size()),
          percent(mean(absolute)),
          percent(median(absolute)),
          fmt::format("{:+.1f}", 100 * mean(errors)),
          percent(held(steps, 0.5)),
          percent(held(steps, 0.8)),
          percent(held(steps, 0.9)),
          percent(median(widths)),
          fmt::format("{:.2f}", mean(scores))};
}

using KeyOf = std::function<std::string(const ScoredStep&)>;

/// A row for each group, in order of its key.
void add_groups(TextTable& table, std::string_view what, const Chosen& steps, const KeyOf& key) {
  std::map<std::string, Chosen> groups;
  for (const ScoredStep* step : steps) groups[key(*step)].push_back(step);
  for (const auto& [name, members] : groups)
    table.add(cells_of(fmt::format("{} {}", what, name), members));
}

std::vector<std::string> memory_cells(std::string name, const std::vector<double>& errors) {
  std::vector<double> absolute;
  for (const double error : errors) absolute.push_back(std::abs(error));
  return {std::move(name),
          fmt::format("{}", errors.size()),
          percent(mean(absolute)),
          percent(median(absolute)),
          percent(*std::max_element(absolute.begin(), absolute.end())),
          signed_percent(mean(errors))};
}

/// Errors of peak memory, of all rows that state it and by what they mean; empty: none does.
std::string memory_text(const std::vector<ScoredStep>& steps) {
  std::vector<double> all;
  std::map<std::string, std::vector<double>> groups;
  for (const ScoredStep& step : steps) {
    if (!step.memory) continue;
    all.push_back(step.memory->error());
    groups[fmt::format("{}, {}", name_of(step.memory->reading), step.stack)].push_back(all.back());
  }
  if (all.empty()) return {};
  TextTable table({{"peak memory", Align::Left}, {"n"}, {"mean"}, {"median"}, {"worst"}, {"bias"}});
  table.add(memory_cells("all", all));
  for (const auto& [name, errors] : groups) table.add(memory_cells(name, errors));
  return table.render() +
         "  of the fullest accelerator, as the stack reports it; nothing is learnt for it\n";
}

std::string size_of(const ScoredStep& step) {
  int most = 8;
  while (most < step.accelerators) most *= 8;
  return fmt::format("{:6d} or fewer", most);
}

}  // namespace

std::string steps_text(const std::vector<ScoredStep>& steps, StepProtocol protocol) {
  Chosen scored;
  std::map<std::string, int> skipped;
  for (const ScoredStep& step : steps)
    if (step.skipped_because.empty())
      scored.push_back(&step);
    else
      ++skipped[step.skipped_because];
  TextTable table({{"steps", Align::Left},
                   {"n"},
                   {"mean"},
                   {"median"},
                   {"bias"},
                   {"in 50 %"},
                   {"80 %"},
                   {"90 %"},
                   {"half-width"},
                   {"score"}});
  if (!scored.empty()) {
    table.add(cells_of("all", scored));
    Chosen firm;
    for (const ScoredStep* step : scored)
      if (step->trust != "C") firm.push_back(step);
    if (!firm.empty() && firm.size() < scored.size()) table.add(cells_of("trust A and B", firm));
    add_groups(table, "stack", scored, [](const auto& s) { return s.stack; });
    add_groups(table, "on", scored,
               [](const auto& s) { return s.accelerator + ' ' + s.precision; });
    add_groups(table, "N", scored, size_of);
  }
  std::string text =
      table.render() + fmt::format("{}; errors in %, half-width of the 90 % interval, its score\n",
                                   name_of(protocol));
  text += memory_text(steps);
  for (const auto& [why, count] : skipped) text += fmt::format("left out: {} x {}\n", count, why);
  return text;
}

}  // namespace report
}  // namespace tofn
