#include "sim/report/runs_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/disclosures.hpp"
#include "sim/core/count_text.hpp"
#include "sim/report/accuracy_table.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/left_out_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

namespace {

bool any(const PublishedRun&) { return true; }
bool is_of_steps(const PublishedRun& run) { return !is_whole(run); }
bool states_both(const PublishedRun& run) { return run.use == "time+plan"; }
bool has_baseline(const PublishedRun& run) {
  return is_whole(run) && run.baseline_hours.has_value();
}

bool holds_nothing_else(const PublishedRun& run) { return is_whole(run) && !run.hours.hold_more; }

std::string signed_error(double hours, const PublishedRun& run) {
  return fmt::format("{:+.1f}", 100 * (hours / run.hours.stated - 1));
}

std::string inside_text(const std::vector<PublishedRun>& runs) {
  int inside = 0;
  int all = 0;
  for (const PublishedRun& run : runs) {
    if (!run.skipped_because.empty() || !is_whole(run)) continue;
    ++all;
    if (run.low() <= run.hours.stated && run.hours.stated <= run.high()) ++inside;
  }
  return fmt::format("90 % intervals hold {} of {}\n", inside, all);
}

/// What the simulation weighs in most of the predictions.
std::string weight_text(const std::vector<PublishedRun>& runs) {
  std::map<double, int> counts;
  for (const PublishedRun& run : runs)
    if (run.skipped_because.empty() && is_whole(run)) ++counts[run.usual.weight];
  std::string text;
  for (const auto& [weight, count] : counts)
    text += fmt::format("{}{:g} ({} runs)", text.empty() ? "" : ", ", weight, count);
  return text;
}

/// What those draws' 90 % intervals of a run's time hold.
std::string coverage_text(const std::vector<PublishedRun>& runs) {
  const auto words = [&](bool has_overrun) {
    const Coverage held = coverage_of(runs, has_overrun);
    return fmt::format("{} of {} ({} % of families)", held.inside, held.runs,
                       percent(share_covered(runs, has_overrun)));
  };
  return fmt::format(
      "their 90 % intervals hold {}; without the overrun {}; that spreads are of a family more was "
      "set after 36 of the first 43 had lain inside\n",
      words(true), words(false));
}

/// How often deadlines would have been kept that lie where draws say so.
std::string reliability_text(const std::vector<PublishedRun>& runs) {
  TextTable table(
      {{"deadlines said to be kept with", Align::Left}, {"runs"}, {"50 %"}, {"80 %"}, {"90 %"}});
  const auto add = [&](const char* name, bool has_overrun, bool (*chosen)(const PublishedRun&)) {
    const auto count = std::count_if(runs.begin(), runs.end(), [&](const PublishedRun& run) {
      return run.skipped_because.empty() && is_whole(run) && chosen(run);
    });
    if (count == 0) return;
    std::vector<std::string> cells{name, fmt::format("{}", count)};
    for (const double said : {0.5, 0.8, 0.9})
      cells.push_back(percent(share_kept(runs, said, has_overrun, chosen)));
    table.add(std::move(cells));
  };
  add("were kept", true, any);
  add("of those that hold nothing else", true, holds_nothing_else);
  add("of these with plan and N stated", true, states_both);
  add("by doubts of the steps alone", false, any);
  return '\n' + table.render() +
         "by the draws of `tofn predict` and `tofn plan`, with what other families' runs took "
         "over their simulated hours; shares are of families, which weigh the same\n" +
         coverage_text(runs);
}

TableColumns<PublishedRun> hours_columns() {
  using Run = PublishedRun;
  const auto predicted = [](auto value) {
    return [value](const Run& r) {
      return r.skipped_because.empty() ? std::optional<double>(value(r)) : std::nullopt;
    };
  };
  const auto hours = [](double value) { return count_text(value, 3); };
  const auto interval = [=](const Run& r) { return hours(r.low()) + "-" + hours(r.high()); };
  const auto error = [](const Run& r) { return signed_error(r.predicted(), r); };
  const auto baseline = [](const Run& r) {
    return r.baseline_hours ? signed_error(*r.baseline_hours, r) : "-";
  };
  return {
      {"run", &Run::name, left("run", [](const Run& r) { return fitted(r.name, 28); })},
      {"model_family", [](const Run& r) { return r.hours.family; }},
      {"accelerator", &Run::accelerator, left("accelerator")},
      {"score", &Run::use},
      {"accelerators", &Run::accelerators, right("N")},
      {"gpu_hours", [](const Run& r) { return r.hours.stated; }, right("stated h", hours)},
      {"predicted_gpu_hours", predicted([](const Run& r) { return r.predicted(); }),
       right("predicted", hours)},
      {"low90_gpu_hours", predicted([](const Run& r) { return r.low(); }), right("90 %", interval)},
      {"high90_gpu_hours", predicted([](const Run& r) { return r.high(); })},
      TableColumn<Run>(right("error %", error)),
      {"simulation_weight", predicted([](const Run& r) { return r.usual.weight; })},
      {"simulated_gpu_hours", predicted([](const Run& r) { return r.hours.simulated; })},
      {"mfu_6n", predicted([](const Run& r) { return r.hours.at_peak / r.hours.stated; }),
       right("MFU %", percent)},
      {"simulated_mfu_6n",
       predicted([](const Run& r) { return r.hours.at_peak / r.hours.simulated; }),
       right("simulated", percent)},
      {"simulated_goodput", predicted([](const Run& r) { return r.goodput; })},
      {"one_utilisation_gpu_hours", predicted([](const Run& r) { return r.pooled_hours; })},
      {"baseline_gpu_hours", &Run::baseline_hours, right("baseline %", baseline)},
      {"overrun_steps", predicted([](const Run& r) { return r.overrun.steps; })},
      {"overrun_spread", predicted([](const Run& r) { return r.overrun.steps_spread; })},
      {"overrun_excess", predicted([](const Run& r) { return r.overrun.excess; })},
      {"chance", predicted([](const Run& r) { return r.chance(r.overrun); })},
      {"chance_by_steps", predicted([](const Run& r) { return r.chance(no_overrun); })},
      {"hours_hold", [](const Run& r) { return known(r.hours_hold); }},
      {"plan", &Run::plan},
      {"assumed", [](const Run& r) { return fmt::format("{}", fmt::join(r.assumed, "; ")); }},
      {"skipped_because", [](const Run& r) { return known(r.skipped_because); }},
      {"not_blind", [](const Run&) { return known(not_blind("runs", "", {})); }}};
}

}  // namespace

Records runs_records(const std::vector<PublishedRun>& runs) {
  return records_of(hours_columns(), runs);
}

std::string left_out_runs(const std::vector<PublishedRun>& runs) {
  std::vector<LeftOutRow> rows;
  for (const PublishedRun& run : runs)
    if (!run.skipped_because.empty())
      rows.push_back({.why = run.skipped_because, .location = run.location, .name = run.name});
  return left_out_text(rows);
}

std::string runs_text(const std::vector<PublishedRun>& runs) {
  std::vector<PublishedRun> predicted_runs;
  std::string notes;
  for (const PublishedRun& run : runs) {
    if (!run.hours_hold.empty())
      notes += fmt::format("{}: its hours hold {}\n", run.name, run.hours_hold);
    if (run.skipped_because.empty()) predicted_runs.push_back(run);
  }
  AccuracyTable errors("accelerator-hours", {{"runs", count_cell},
                                             {"median %", median_cell},
                                             {"mean %", mean_cell},
                                             {"worst %", worst_cell}});
  const auto add = [&](const char* name, double (*hours)(const PublishedRun&),
                       bool (*chosen)(const PublishedRun&)) {
    errors.add(name, accuracy_of_hours(runs, hours, chosen));
  };
  const auto predicted = [](const PublishedRun& r) { return r.predicted(); };
  const auto alone = [](const PublishedRun& r) { return r.hours.simulated; };
  const auto middle = [](const PublishedRun& r) { return r.middle(); };
  const auto pooled = [](const PublishedRun& r) { return r.pooled_hours; };
  const auto baseline = [](const PublishedRun& r) { return *r.baseline_hours; };
  add("predicted", predicted, is_whole);
  add("of these with plan and N stated", predicted, states_both);
  add("of those that hold nothing else", predicted, holds_nothing_else);
  add("the steps and interruptions alone", alone, is_whole);
  add("the middle of `tofn predict`", middle, is_whole);
  add("one utilisation for all", pooled, is_whole);
  add("one utilisation a chip", baseline, has_baseline);
  add("steps known by a rate, apart", predicted, is_of_steps);
  return table_text(hours_columns(), predicted_runs) + notes + left_out_runs(runs) + '\n' +
         errors.render() + inside_text(runs) +
         fmt::format(
             "predicted: steps take factor x simulated^weight x (hours at the peak)^(1 - weight), "
             "runs e^excess of them;\nall learnt from other families; weight {}; utilisations "
             "are medians of other families\n",
             weight_text(runs)) +
         reliability_text(runs) + disclosed_text("runs");
}

std::string goodput_text(const std::vector<StatedGoodput>& runs) {
  if (runs.empty()) return "";
  TextTable table(
      {{"goodput", Align::Left}, {"N"}, {"stated %"}, {"predicted"}, {"90 %"}, {"inside"}});
  int held = 0;
  for (const StatedGoodput& run : runs) {
    held += run.is_held() ? 1 : 0;
    table.add({fitted(run.run, 28), fmt::format("{}", run.accelerators),
               (run.is_bound ? "> " : "") + percent(run.stated), percent(run.usual.expected),
               percent(run.usual.low) + "-" + percent(run.usual.high),
               run.is_held() ? "yes" : "no"});
  }
  return '\n' + table.render() +
         fmt::format("90 % intervals hold {} of {} stated goodputs\n", held, runs.size());
}

}  // namespace report
}  // namespace tofn
