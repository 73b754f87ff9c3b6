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

/// Text such as `53 published runs: 29.6 % off in the median, 46 lie inside their 90 % range`.
std::string headline(const std::vector<PublishedRun>& runs, const Accuracy& predicted,
                     const Accuracy& pooled) {
  const auto is_scored = [](const PublishedRun& run) {
    return run.skipped_because.empty() && is_whole(run);
  };
  const auto inside = std::ranges::count_if(runs, [&](const PublishedRun& run) {
    return is_scored(run) && run.low() <= run.hours.stated && run.hours.stated <= run.high();
  });
  return fmt::format(
      "{} published runs: their accelerator-hours are {} % off in the median (one "
      "utilisation for all: {} %), {} lie inside their 90 % range\n\n",
      std::ranges::count_if(runs, is_scored), percent(predicted.median), percent(pooled.median),
      inside);
}

/// Table of the runs with the largest errors.
std::string worst_table(const std::vector<PublishedRun>& runs) {
  constexpr std::size_t most = 8;
  std::vector<const PublishedRun*> worst;
  for (const PublishedRun& run : runs)
    if (is_whole(run)) worst.push_back(&run);
  const auto off = [](const PublishedRun* run) {
    return std::abs(std::log(run->predicted() / run->hours.stated));
  };
  std::ranges::stable_sort(worst, [&](const auto* a, const auto* b) { return off(a) > off(b); });
  worst.resize(std::min(most, worst.size()));
  using Run = const PublishedRun*;
  const auto interval = [](const Run& r) {
    return fmt::format("{} to {}", short_figure(r->low()), short_figure(r->high()));
  };
  const TableColumns<Run> columns{
      left("farthest off", &PublishedRun::name),
      left("accelerator", &PublishedRun::accelerator),
      right("N", &PublishedRun::accelerators),
      right(
          "stated h", [](const Run& r) { return r->hours.stated; }, short_figure),
      right("predicted", &PublishedRun::predicted, short_figure),
      right("90 %", interval),
      right("error %", [](const Run& r) { return signed_error(r->predicted(), *r); })};
  return worst.empty() ? "" : table_text(columns, worst) + '\n';
}

/// Text of the fitted weights of the simulation, with the number of runs that have each.
std::string weight_text(const std::vector<PublishedRun>& runs) {
  std::map<double, int> counts;
  for (const PublishedRun& run : runs)
    if (run.skipped_because.empty() && is_whole(run)) ++counts[run.typical.weight];
  std::string text;
  for (const auto& [weight, count] : counts)
    text += fmt::format("{}{:g} ({} runs)", text.empty() ? "" : ", ", weight, count);
  return text;
}

/// Line on the coverage of the 90 % ranges of a run's time.
std::string coverage_text(const std::vector<PublishedRun>& runs) {
  const auto words = [&](bool has_overrun) {
    const Coverage held = coverage_of(runs, has_overrun);
    return fmt::format("{} of {} ({} % of families)", held.inside, held.runs,
                       percent(share_covered(runs, has_overrun)));
  };
  return note("90 % range",
              fmt::format("holds {}; without the overrun {}; that spreads are wider by one family "
                          "was set after 36 of the first 43 had lain inside",
                          words(true), words(false)));
}

/// Table of how often deadlines with these predicted chances would have been met.
std::string reliability_text(const std::vector<PublishedRun>& runs) {
  struct Row {
    bool (*chosen)(const PublishedRun&);
    bool has_overrun;
    const char* name;
  };
  std::vector<Row> rows{{any, true, "all"},
                        {holds_nothing_else, true, "whose hours are of the run alone"},
                        {states_both, true, "of these with plan and N stated"},
                        {any, false, "without the overrun"}};
  const auto count = [&](const Row& row) {
    return std::ranges::count_if(runs, [&](const PublishedRun& run) {
      return run.skipped_because.empty() && is_whole(run) && row.chosen(run);
    });
  };
  std::erase_if(rows, [&](const Row& row) { return count(row) == 0; });
  TableColumns<Row> columns{left("deadlines met, of a chance of", &Row::name),
                            right("runs", count)};
  for (const double stated : {0.5, 0.8, 0.9})
    columns.push_back(right(fmt::format("{:.0f} %", 100 * stated), [&, stated](const Row& row) {
      return percent(share_kept(runs, stated, row.has_overrun, row.chosen));
    }));
  return table_text(columns, rows);
}

TableColumns<PublishedRun> hours_columns() {
  using Run = PublishedRun;
  const auto predicted = [](auto value) {
    return [value](const Run& r) {
      return r.skipped_because.empty() ? std::optional<double>(value(r)) : std::nullopt;
    };
  };
  const auto hours = [](double value) { return count_text(value, 3); };
  const auto interval = [=](const Run& r) { return hours(r.low()) + " to " + hours(r.high()); };
  const auto error = [](const Run& r) { return signed_error(r.predicted(), r); };
  const auto baseline = [](const Run& r) {
    return r.baseline_hours ? signed_error(*r.baseline_hours, r) : "-";
  };
  return {{"run", &Run::name, left("run")},
          {"model_family", [](const Run& r) { return r.hours.family; },
           "family of models, whose runs tell of one another"},
          {"accelerator", &Run::accelerator, left("accelerator")},
          {"score", &Run::use, "score that the run counts in; of the scorecard the interval score"},
          {"accelerators", &Run::accelerators, right("N")},
          {"gpu_hours", [](const Run& r) { return r.hours.stated; }, right("stated h", hours),
           "accelerator-hours as the run's authors state them"},
          {"predicted_gpu_hours", predicted([](const Run& r) { return r.predicted(); }),
           right("predicted", hours), "accelerator-hours as predicted"},
          {"low90_gpu_hours", predicted([](const Run& r) { return r.low(); }),
           right("90 %", interval), "lower end of the prediction's 90 % interval"},
          {"high90_gpu_hours", predicted([](const Run& r) { return r.high(); }),
           "upper end of the prediction's 90 % interval"},
          TableColumn<Run>(right("error %", error), "predicted over measured, less 1"),
          {"simulation_weight", predicted([](const Run& r) { return r.typical.weight; }),
           "weight of the simulation in the prediction: 0 to 1"},
          {"simulated_gpu_hours", predicted([](const Run& r) { return r.hours.simulated; }),
           "accelerator-hours as simulated, without an overrun"},
          {"mfu_6n", predicted([](const Run& r) { return r.hours.at_peak / r.hours.stated; }),
           right("MFU %", percent)},
          {"simulated_mfu_6n",
           predicted([](const Run& r) { return r.hours.at_peak / r.hours.simulated; }),
           right("simulated", percent),
           "6 FLOPs a token and parameter over the simulated hours at the peak"},
          {"simulated_goodput", predicted([](const Run& r) { return r.goodput; }),
           "training over time, as simulated"},
          {"one_utilisation_gpu_hours", predicted([](const Run& r) { return r.pooled_hours; }),
           "accelerator-hours by one utilisation for all runs"},
          {"baseline_gpu_hours", &Run::baseline_hours, right("baseline %", baseline),
           "accelerator-hours by the median utilisation of other families' runs on that chip"},
          {"overrun_steps", predicted([](const Run& r) { return r.overrun.steps; }),
           "time of steps of other families' runs over the simulated ones"},
          {"overrun_spread", predicted([](const Run& r) { return r.overrun.steps_spread; }),
           "factor within which nine of ten overruns of steps lie"},
          {"overrun_excess", predicted([](const Run& r) { return r.overrun.excess; }),
           "mean logarithm of the time of other families' runs over that of their steps"},
          {"chance", predicted([](const Run& r) { return r.chance(r.overrun); })},
          {"chance_by_steps", predicted([](const Run& r) { return r.chance(no_overrun); }),
           "share of draws without an overrun that stay within the stated hours"},
          {"hours_hold", [](const Run& r) { return known(r.hours_hold); },
           "work beside the run that the stated hours hold"},
          {"plan", &Run::plan},
          {"assumed", [](const Run& r) { return fmt::format("{}", fmt::join(r.assumed, "; ")); }},
          {"skipped_because", [](const Run& r) { return known(r.skipped_because); }},
          {"not_blind", [](const Run&) { return known(not_blind("runs", "", {})); }}};
}

std::vector<LeftOutRow> skipped_runs(const std::vector<PublishedRun>& runs) {
  return left_out_rows(runs, &PublishedRun::location, &PublishedRun::name);
}

TableColumns<StatedGoodput> goodput_columns() {
  using Run = StatedGoodput;
  const auto stated = [](const Run& r) { return (r.is_bound ? "> " : "") + percent(r.stated); };
  const auto interval = [](const Run& r) {
    return percent(r.typical.low) + " to " + percent(r.typical.high);
  };
  return {left("goodput", &Run::run),
          right("N", &Run::accelerators),
          {right("stated %", stated), "goodput as the source states it"},
          right(
              "predicted", [](const Run& r) { return r.typical.expected; }, percent),
          right("90 %", interval),
          {right("inside", [](const Run& r) { return r.is_held() ? "yes" : "no"; }),
           "whether the interval holds the stated goodput"}};
}

std::string goodput_text(const std::vector<StatedGoodput>& runs) {
  if (runs.empty()) return "";
  const auto held =
      std::ranges::count_if(runs, [](const StatedGoodput& run) { return run.is_held(); });
  return '\n' + table_text(goodput_columns(), runs) +
         note("90 % range", fmt::format("holds {} of {} stated goodputs", held, runs.size()));
}

}  // namespace

ExplainedRecords runs_records(const std::vector<PublishedRun>& runs) {
  return with_words_of(goodput_columns(), records_of(hours_columns(), runs));
}

std::string left_out_runs(const std::vector<PublishedRun>& runs) {
  return left_out_text(skipped_runs(runs));
}

AnswerText runs_text(const std::vector<PublishedRun>& runs,
                     const std::vector<StatedGoodput>& goodput) {
  std::vector<PublishedRun> predicted_runs;
  std::string notes;
  for (const PublishedRun& run : runs) {
    if (!run.hours_hold.empty())
      notes += note("hours", fmt::format("{}: they include {}", run.name, run.hours_hold));
    if (run.skipped_because.empty()) predicted_runs.push_back(run);
  }
  AccuracyTable errors(
      "accelerator-hours",
      {right("runs", &Accuracy::count), right("median %", &Accuracy::median, percent),
       right("mean %", &Accuracy::mean, percent), right("worst %", &Accuracy::worst, percent)});
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
  add("whose hours are of the run alone", predicted, holds_nothing_else);
  add("the steps and interruptions alone", alone, is_whole);
  add("the middle of `tofn predict`", middle, is_whole);
  add("one utilisation for all", pooled, is_whole);
  add("one utilisation a chip", baseline, has_baseline);
  add("steps known by a rate, apart", predicted, is_of_steps);
  AnswerText text;
  text.screen = headline(runs, accuracy_of_hours(runs, predicted, is_whole),
                         accuracy_of_hours(runs, pooled, is_whole)) +
                errors.render() + '\n' + reliability_text(runs) + '\n' +
                worst_table(predicted_runs) + left_out_counts(skipped_runs(runs)) +
                listed_note("next", {"--details for every run, goodput and what is in-sample"});
  text.details = table_text(hours_columns(), predicted_runs) + notes + left_out_runs(runs) + '\n' +
                 note("predicted",
                      fmt::format("steps take factor x simulated^weight x (hours at the peak)^(1 - "
                                  "weight), runs e^excess of them; all are fitted to other "
                                  "families, weight {}; utilisations are medians of other families",
                                  weight_text(runs))) +
                 note("deadlines",
                      "as `tofn predict` and `tofn plan` give chances, with what other families' "
                      "runs took over their simulated hours; families weigh the same") +
                 coverage_text(runs) + disclosed_text("runs") + goodput_text(goodput);
  return text;
}

}  // namespace report
}  // namespace tofn
