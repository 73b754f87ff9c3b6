#include "sim/app/validate.hpp"

#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/energy_answer.hpp"
#include "sim/answers/published_answer.hpp"
#include "sim/answers/rl_scores_answer.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/answers/slow_cases_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/core/row_named.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/report/detection_report.hpp"
#include "sim/report/energy_report.hpp"
#include "sim/report/published_report.hpp"
#include "sim/report/rl_scores_report.hpp"
#include "sim/report/runs_report.hpp"
#include "sim/validation/protocols.hpp"

namespace tofn {
inline namespace app {
namespace {

CommandAnswer validate_detection(const Request& request) {
  Library library = Library::load(request.common.configs);
  const Knowledge knowledge = knowledge_of(library, request.common.configs, {});
  const auto trials = detection_trials(knowledge);
  const auto of_causes = cause_trials(knowledge);
  const auto cases = slow_cases_answer(request.common.configs / "measured" / "slow-collectives.csv",
                                       library, knowledge);
  return command_answer(detection_text(trials, of_causes, cases),
                        detection_records(trials, of_causes));
}

std::filesystem::path shipped(const Request& request, const char* table) {
  return tables_of(request, {request.common.configs / "measured" / table}).front();
}

CommandAnswer validate_energy(const Request& request) {
  Shipped evidence(request.common.configs);
  const auto runs = energy_answer(evidence, shipped(request, "mlperf-power.csv"));
  return command_answer(energy_text(runs), energy_records(runs));
}

CommandAnswer validate_runs(const Request& request) {
  const auto table = shipped(request, "training-runs.csv");
  std::vector<std::string> notes;
  const auto runs = runs_answer(request.common.configs, table, &notes);
  for (const std::string& note : notes) say(note);
  require_answered(runs, left_out_runs(runs));
  return command_answer(runs_text(runs, goodput_answer(table)), runs_records(runs));
}

CommandAnswer validate_published(const Request& request) {
  const auto [name, rule] = protocol_of(request, published_protocols);
  Shipped evidence(request.common.configs);
  const auto tables = tables_of(request, published_tables(evidence.configs()));
  std::vector<std::string> notes;
  const auto runs = published_answer(evidence, tables, rule, &notes);
  for (const std::string& note : notes) say(note);
  require_answered(runs, left_out_runs(runs));
  return command_answer(published_text(runs, name), published_records(runs, name));
}

CommandAnswer validate_rl(const Request& request) {
  RlTables tables = shipped_rl_tables(request.common.configs);
  if (!request.files.empty()) tables.steps = request.files.front();
  if (request.files.size() > 1) tables.rates = request.files[1];
  const RlScores scores = rl_scores_answer(request.common.configs, tables);
  return command_answer(rl_scores_text(scores), rl_scores_records(scores));
}

enum class FilesTaken { None, OneTable, Tables };

/// Kind of prediction that is compared with measurements.
struct Validation {
  std::string_view name;
  std::string_view files;  ///< description of the files for the help
  FilesTaken takes;
  Jobs bit;  ///< bit in the rows of options that this kind takes
  CommandAnswer (*run)(const Request&);
};
constexpr Jobs of_collectives = 1U << 0U;
constexpr Jobs of_published = 1U << 1U;
constexpr Jobs of_steps = 1U << 2U;
constexpr Jobs of_plans = 1U << 3U;
constexpr Jobs of_all = 1U << 4U;

/// All kinds. A new one needs a row here, and its function.
constexpr std::array validations{
    Validation{"collectives", "logs of benchmarks, records of tofn-bench, calibrations, or folders",
               FilesTaken::Tables, of_collectives, validate_collectives},
    Validation{"detection", "none", FilesTaken::None, 0, validate_detection},
    Validation{"energy", "a table like configs/measured/mlperf-power.csv (the default)",
               FilesTaken::OneTable, 0, validate_energy},
    Validation{"published", "published tables (the default: all of configs/published)",
               FilesTaken::Tables, of_published, validate_published},
    Validation{"rl",
               "a table like configs/measured/rl-steps.csv, then one like decode-rates.csv there "
               "(the defaults)",
               FilesTaken::Tables, 0, validate_rl},
    Validation{"runs", "a table like configs/measured/training-runs.csv (the default)",
               FilesTaken::OneTable, 0, validate_runs},
    Validation{"steps", "tables like configs/measured/steps.csv (the default: all of them)",
               FilesTaken::Tables, of_steps, validate_steps},
    Validation{"plans", "the same tables: the order of plans measured for one job",
               FilesTaken::Tables, of_plans, validate_plans},
    Validation{"all",
               "none: whatever ships, a row each; or a scorecard of it, to hold against another",
               FilesTaken::OneTable, of_all, validate_all}};

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

std::string files_help() {
  std::string help;
  for (const Validation& each : validations)
    help += fmt::format("{}{}, then {}", help.empty() ? "" : "; ", each.name, each.files);
  return help;
}

}  // namespace

namespace option {
constexpr Texts validated{{"what", {}, Takes::Words}};
}  // namespace option

namespace {

CommandOptions validate_rows() {
  return {{&option::validated, every_job, files_help(), {}, -1},
          {&option::cluster, of_collectives,
           "a name of `tofn list clusters`: that of all tables, for the protocols `formula` and "
           "`related`"},
          {&option::protocol, of_collectives | of_published | of_steps | of_plans, protocol_help()},
          {&option::against, of_all},
          {&option::update, of_all},
          {&option::why, of_all},
          {&option::without, of_all}};
}

}  // namespace

CommandLine validate_command_line() {
  return {
      "validate collectives FILE|FOLDER... [OPTIONS], or validate detection, or validate "
      "energy [FILE.csv], or validate published [FILE.csv...], or validate rl [FILE.csv...], or "
      "validate runs [FILE.csv], or validate steps|plans [FILE.csv...], or validate all",
      "  tofn validate collectives logs/\n"
      "  tofn validate collectives configs/calibrations --protocol nodes\n"
      "  tofn validate collectives a.txt b.txt --format csv > rows.csv\n"
      "  tofn validate energy\n"
      "  tofn validate published --protocol submitter\n"
      "  tofn validate rl --details\n"
      "  tofn validate steps --protocol unknown-stack\n"
      "  tofn validate plans\n"
      "  tofn validate all --against tests/scorecard.csv\n"
      "  tofn validate all --update tests/scorecard.csv --why 'runs: three more are scored'\n",
      validate_rows()};
}

namespace {

/// Throws InputError if the kind takes fewer files, or does not take an option that is given.
void check(const Validation& kind, const Request& request, const options::variables_map& values) {
  if (kind.takes == FilesTaken::None && !request.files.empty())
    throw InputError(fmt::format("validate {} takes no table", kind.name));
  if (kind.takes == FilesTaken::OneTable && request.files.size() > 1)
    throw InputError(fmt::format("validate {} takes one table", kind.name));
  for (const CommandOption& row : validate_rows()) {
    if (!row.option->is_given(values) || row.acts_on == every_job || (row.acts_on & kind.bit) != 0)
      continue;
    std::vector<std::string> takers;
    for (const Validation& each : validations)
      if ((row.acts_on & each.bit) != 0) takers.emplace_back(each.name);
    throw InputError({}, row.option->flag(),
                     fmt::format("acts with validate {} alone", list_text(takers, "or")));
  }
}

}  // namespace

std::vector<std::filesystem::path> tables_of(const Request& request,
                                             std::vector<std::filesystem::path> shipped) {
  if (request.files.empty()) return shipped;
  return {request.files.begin(), request.files.end()};
}

CommandAnswer run_validate(const options::variables_map& values) {
  const std::vector<std::string> what = option::validated.of(values);
  if (what.empty())
    throw InputError("validate needs what and where, e.g. `tofn validate collectives logs/`");
  const Validation& kind = row_named(validations, "validation", what.front());
  const Request request{.common = read_common(values),
                        .files = {what.begin() + 1, what.end()},
                        .protocol = option::protocol.of(values),
                        .cluster = option::cluster.of(values),
                        .against = option::against.of(values),
                        .update = option::update.of(values),
                        .why = option::why.of(values),
                        .without = option::without.of(values)};
  check(kind, request, values);
  return kind.run(request);
}

}  // namespace app
}  // namespace tofn
