#include "sim/report/published_report.hpp"

#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/disclosures.hpp"
#include "sim/report/accuracy_table.hpp"
#include "sim/report/left_out_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {

ExplainedRecords published_records(const std::vector<ScoredRun>& runs, std::string_view protocol) {
  using Run = ScoredRun;
  const auto scored = [](auto figure) {
    return [figure](const Run& r) {
      return r.skipped_because.empty() ? std::optional(figure(r.time)) : std::nullopt;
    };
  };
  const TableColumns<Run> columns{
      {"benchmark", &Run::benchmark},
      {"org", &Run::organisation},
      {"system", &Run::system},
      {"accelerator", &Run::accelerator},
      {"accelerators", &Run::accelerators},
      {"source", &Run::table},
      {"measured_s",
       [](const Run& r) {
         return r.time.measured > 0 ? std::optional(r.time.measured) : std::nullopt;
       },
       "step as measured, in seconds"},
      {"predicted_s", scored([](const Scored& s) { return s.predicted; }),
       "step as predicted, in seconds"},
      {"low90_s", scored([](const Scored& s) { return s.intervals->back().low; }),
       "lower end of the prediction's 90 % interval, in seconds"},
      {"high90_s", scored([](const Scored& s) { return s.intervals->back().high; }),
       "upper end of the prediction's 90 % interval, in seconds"},
      {"linear_s", [](const Run& r) { return r.linear; }, "score on 8 accelerators x 8 / N"},
      {"skipped_because", [](const Run& r) { return known(r.skipped_because); }},
      {"contradiction", [](const Run& r) { return known(r.contradiction); }},
      {"not_blind",
       [=](const Run& r) { return known(not_blind("published", protocol, {r.benchmark})); }}};
  return records_of(columns, runs);
}

namespace {

std::string name_of_run(const ScoredRun& run) {
  return fmt::format("{} {}/{}", run.benchmark, run.organisation, run.system);
}

/// Text of the rows whose step contradicts their clock.
std::string contradiction_text(const std::vector<const ScoredRun*>& scored) {
  std::string text;
  for (const ScoredRun* run : scored)
    if (!run->contradiction.empty())
      text += note("contradicts", fmt::format("{} ({:+.1f} %): {}", name_of_run(*run),
                                              100 * run->time.error(), run->contradiction));
  return text;
}

std::vector<LeftOutRow> skipped_runs(const std::vector<ScoredRun>& runs) {
  return left_out_rows(runs, &ScoredRun::location, name_of_run);
}

}  // namespace

std::string left_out_runs(const std::vector<ScoredRun>& runs) {
  return left_out_text(skipped_runs(runs), since_it_calibrates);
}

AnswerText published_text(const std::vector<ScoredRun>& runs, std::string_view protocol) {
  std::vector<const ScoredRun*> scored;
  std::vector<Scored> all;
  std::vector<Scored> sound;
  std::vector<std::string> benchmarks;
  for (const ScoredRun& run : runs) {
    if (!run.skipped_because.empty()) continue;
    scored.push_back(&run);
    benchmarks.push_back(run.benchmark);
    all.push_back(run.time);
    if (run.contradiction.empty()) sound.push_back(run.time);
  }
  AccuracyTable groups("error in %", screen_accuracy_columns());
  AccuracyTable table("time to train");
  for (AccuracyTable* each : {&groups, &table}) {
    each->add("all", all);
    if (sound.size() < all.size()) each->add("all whose numbers agree", sound);
    each->add_groups("of", scored, [](const ScoredRun& r) { return r.table; });
    each->add_groups("of", scored, [](const ScoredRun& r) { return r.benchmark; });
  }
  table.add_groups("in", scored, [](const ScoredRun& r) {
    return r.is_in_one_domain ? "one domain" : "several domains";
  });
  table.add_groups("on", scored, [](const ScoredRun& r) { return r.accelerator; });
  table.add_groups("N", scored, [](const ScoredRun& r) { return size_class(r.accelerators); });
  AnswerText text;
  text.screen = fmt::format("{} published times to train ({}): {}\n\n", all.size(), protocol,
                            accuracy_words(accuracy_of(all))) +
                groups.render() + '\n' + left_out_counts(skipped_runs(runs)) +
                listed_note("next", {"--details for accelerators, sizes and what is in-sample",
                                     "tofn compare"});
  text.details = table.render() +
                 note("score",
                      "of the 90 % range, lower is better; half-width: "
                      "of that range") +
                 contradiction_text(scored) + left_out_runs(runs) +
                 disclosed_text("published", protocol, benchmarks);
  return text;
}

}  // namespace report
}  // namespace tofn
