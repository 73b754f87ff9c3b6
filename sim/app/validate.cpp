#include "sim/app/validate.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/energy_answer.hpp"
#include "sim/answers/published_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/answers/slow_cases_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/detection_report.hpp"
#include "sim/report/energy_report.hpp"
#include "sim/report/runs_report.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
inline namespace app {
namespace {

CommandAnswer validate_detection(const Asked& asked) {
  Library library = Library::load(asked.common.configs);
  const Knowledge knowledge = knowledge_of(library, asked.common.configs, {});
  const auto trials = detection_trials(knowledge);
  const auto of_causes = cause_trials(knowledge);
  const auto cases = slow_cases_answer(asked.common.configs / "measured" / "slow-collectives.csv",
                                       library, knowledge);
  const AnswerText text = detection_text(trials, of_causes, cases);
  return {.text = text.screen,
          .details = text.details,
          .records = detection_records(trials, of_causes)};
}

std::filesystem::path shipped(const Asked& asked, const char* table) {
  return tables_of(asked, {asked.common.configs / "measured" / table}).front();
}

CommandAnswer validate_energy(const Asked& asked) {
  Shipped evidence(asked.common.configs);
  const auto runs = energy_answer(evidence, shipped(asked, "mlperf-power.csv"));
  const AnswerText text = energy_text(runs);
  return {.text = text.screen, .details = text.details, .records = energy_records(runs)};
}

CommandAnswer validate_runs(const Asked& asked) {
  const auto table = shipped(asked, "training-runs.csv");
  std::vector<std::string> notes;
  const auto runs = runs_answer(asked.common.configs, table, &notes);
  for (const std::string& note : notes) say(note);
  require_answered(runs, left_out_runs(runs));
  const AnswerText text = runs_text(runs, goodput_answer(table));
  return {.text = text.screen, .details = text.details, .records = runs_records(runs)};
}

enum class Takes { NoTable, OneTable, Tables };

/// A kind of what is held against measurements.
struct Validation {
  std::string_view name;
  std::string_view files;  ///< what they are
  Takes takes;
  std::vector<std::string_view> options;  ///< of its own
  CommandAnswer (*run)(const Asked&);
};

/// Add one here: a row, and its function.
const std::vector<Validation>& validations() {
  static const std::vector<Validation> table{
      {"collectives",
       "logs of benchmarks, records of tofn-bench, calibrations, or folders",
       Takes::Tables,
       {"protocol", "cluster"},
       validate_collectives},
      {"detection", "none", Takes::NoTable, {}, validate_detection},
      {"energy",
       "a table like configs/measured/mlperf-power.csv (the default)",
       Takes::OneTable,
       {},
       validate_energy},
      {"published",
       "published tables (the default: all of configs/published)",
       Takes::Tables,
       {"protocol"},
       validate_published},
      {"runs",
       "a table like configs/measured/training-runs.csv (the default)",
       Takes::OneTable,
       {},
       validate_runs},
      {"steps",
       "tables like configs/measured/steps.csv (the default: all of them)",
       Takes::Tables,
       {"protocol"},
       validate_steps},
      {"plans",
       "the same tables: the order of plans measured for one job",
       Takes::Tables,
       {"protocol"},
       validate_plans},
      {"all",
       "none: whatever ships, a row each; or a scorecard of it, to hold against another",
       Takes::OneTable,
       {"against", "update", "why", "without"},
       validate_all}};
  return table;
}

template <class Table>
std::string names_in(const Table& table) {
  std::vector<std::string_view> names;
  for (const auto& row : table) names.push_back(row.first);
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string protocol_help() {
  std::string help = "of collectives";
  for (const ScoringProtocol& protocol : protocols())
    help += fmt::format("{} {}: {}", &protocol == protocols().data() ? "" : ";", protocol.name,
                        protocol.what);
  return help +
         fmt::format("; of published {}; of steps and plans {}; the first of a kind unless given",
                     names_in(published_protocols), names_in(step_protocols));
}

}  // namespace

CommandLine validate_command_line() {
  CommandLine line{
      .usage =
          "validate collectives FILE|FOLDER... [OPTIONS], or validate detection, or validate "
          "energy [FILE.csv], or validate published [FILE.csv...], or validate runs "
          "[FILE.csv], or validate steps|plans [FILE.csv...], or validate all",
      .examples =
          "  tofn validate collectives logs/\n"
          "  tofn validate collectives configs/calibrations --protocol nodes\n"
          "  tofn validate collectives a.txt b.txt --format csv > rows.csv\n"
          "  tofn validate energy\n"
          "  tofn validate published --protocol submitter\n"
          "  tofn validate steps --protocol unknown-stack\n"
          "  tofn validate plans\n"
          "  tofn validate all --against tests/scorecard.csv\n"
          "  tofn validate all --update tests/scorecard.csv --why 'runs: three more are scored'\n",
      .description = options::options_description("Options"),
      .positional = {}};
  std::string what;
  for (const Validation& each : validations())
    what += fmt::format("{}{}, then {}", what.empty() ? "" : "; ", each.name, each.files);
  line.description.add_options()                                          //
      ("what", options::value<std::vector<std::string>>(), what.c_str())  //
      ("cluster", options::value<std::string>(),
       "a name of `tofn list clusters`: that of all tables, for the protocols `formula` and "
       "`kin`")                                                             //
      ("protocol", options::value<std::string>(), protocol_help().c_str())  //
      ("against", options::value<std::string>(),
       "a scorecard of `validate all --update FILE.csv`: exit 1 where a figure is worse")  //
      ("update", options::value<std::string>(),
       "a scorecard to write, where each figure that is worse has a cause (--why) and the "
       "experiment "
       "that shows it (--without)")  //
      ("why", options::value<std::vector<std::string>>()->composing(),
       "'ROW: CAUSE' why figures of the row of that name are worse, of at most three rows; once "
       "for "
       "each row")  //
      ("without", options::value<std::vector<std::string>>()->composing(),
       "a scorecard of a build in which the change alone that made them worse is reverted: it "
       "shows "
       "the causes of --why");
  line.positional.add("what", -1);
  return line;
}

namespace {

/// Of an option that may be given more than once.
std::vector<std::string> texts_of(const options::variables_map& values, const char* name) {
  return values.count(name) == 0 ? std::vector<std::string>{}
                                 : values[name].as<std::vector<std::string>>();
}

const Validation& validation_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Validation& each : validations()) {
    if (each.name == name) return each;
    names.emplace_back(each.name);
  }
  throw InputError(unknown_name("validation", name, names));
}

/// InputError where the kind takes fewer files, or none of an option.
void check(const Validation& kind, const Asked& asked, const options::variables_map& values) {
  if (kind.takes == Takes::NoTable && !asked.files.empty())
    throw InputError(fmt::format("validate {} takes no table", kind.name));
  if (kind.takes == Takes::OneTable && asked.files.size() > 1)
    throw InputError(fmt::format("validate {} takes one table", kind.name));
  for (const std::string_view option :
       {"cluster", "protocol", "against", "update", "why", "without"}) {
    if (values.count(std::string(option)) == 0) continue;
    std::vector<std::string> takers;
    for (const Validation& each : validations())
      if (std::find(each.options.begin(), each.options.end(), option) != each.options.end())
        takers.emplace_back(each.name);
    if (std::find(takers.begin(), takers.end(), kind.name) == takers.end())
      throw InputError({}, fmt::format("--{}", option),
                       fmt::format("acts with validate {} alone", list_text(takers, "or")));
  }
}

}  // namespace

std::vector<std::filesystem::path> tables_of(const Asked& asked,
                                             std::vector<std::filesystem::path> shipped) {
  if (asked.files.empty()) return shipped;
  return {asked.files.begin(), asked.files.end()};
}

CommandAnswer run_validate(const options::variables_map& values) {
  if (values.count("what") == 0)
    throw InputError("validate needs what and where, e.g. `tofn validate collectives logs/`");
  const auto& what = values["what"].as<std::vector<std::string>>();
  const Validation& kind = validation_named(what.front());
  const Asked asked{.common = read_common(values),
                    .files = {what.begin() + 1, what.end()},
                    .protocol = options::text_option(values, "protocol"),
                    .cluster = options::text_option(values, "cluster"),
                    .against = options::text_option(values, "against"),
                    .update = options::text_option(values, "update"),
                    .why = texts_of(values, "why"),
                    .without = texts_of(values, "without")};
  check(kind, asked, values);
  return kind.run(asked);
}

}  // namespace app
}  // namespace tofn
