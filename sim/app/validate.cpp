#include <iostream>

#include <fmt/format.h>

#include "sim/answers/collective_tables.hpp"
#include "sim/answers/knowledge.hpp"
#include "sim/answers/runs_answer.hpp"
#include "sim/answers/slow_cases_answer.hpp"
#include "sim/answers/steps_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/detection_report.hpp"
#include "sim/report/runs_report.hpp"
#include "sim/report/validate_report.hpp"

namespace tofn {
inline namespace app {
namespace {

CommandLine command_line() {
  CommandLine line{
      .usage =
          "validate collectives FILE|FOLDER... [OPTIONS], or validate detection, or validate "
          "energy [FILE.csv], or validate runs [FILE.csv], or validate steps|plans [FILE.csv...]",
      .examples =
          "  tofn validate collectives logs/\n"
          "  tofn validate collectives configs/calibrations --protocol nodes\n"
          "  tofn validate collectives a.txt b.txt --format csv > rows.csv\n"
          "  tofn validate energy\n"
          "  tofn validate steps --protocol unknown-stack\n"
          "  tofn validate plans\n",
      .description = options::options_description("Options"),
      .positional = {}};
  std::string protocol_help;
  for (const ScoringProtocol& protocol : protocols())
    protocol_help +=
        fmt::format("{}{}: {}", protocol_help.empty() ? "" : "; ", protocol.name, protocol.what);
  protocol_help += "; of steps and plans left-out-model, one-measured or unknown-stack";
  line.description.add_options()  //
      ("what", options::value<std::vector<std::string>>(),
       "collectives, then logs of benchmarks, records of tofn-bench, calibrations, or folders; or "
       "energy, then a table like configs/measured/mlperf-power.csv (the default); or runs, then a "
       "table like configs/measured/training-runs.csv (the default); or steps, or plans (the "
       "order of those measured for one job), then tables like configs/measured/steps.csv (the "
       "default: all of them)")  //
      ("cluster", options::value<std::string>(),
       "the cluster of all tables, for the protocols `formula` and `kin`")  //
      ("protocol", options::value<std::string>()->default_value("split"), protocol_help.c_str());
  line.positional.add("what", -1);
  return line;
}

/// The table after the word `energy`; nothing where another word comes first.
std::optional<std::filesystem::path> energy_table(const options::variables_map& values,
                                                  const CommonOptions& common) {
  if (values.count("what") == 0) return {};
  const auto& words = values["what"].as<std::vector<std::string>>();
  if (words.front() != "energy") return {};
  if (words.size() > 2) throw InputError("validate energy takes one table");
  for (const char* name : {"cluster", "protocol"})
    if (values.count(name) > 0 && !values[name].defaulted())
      throw InputError({}, fmt::format("--{}", name), "acts with validate collectives alone");
  return words.size() == 2 ? std::filesystem::path(words[1])
                           : common.configs / "measured" / "mlperf-power.csv";
}

/// The table after the word `runs`; nothing where another word comes first.
std::optional<std::filesystem::path> runs_table(const options::variables_map& values,
                                                const CommonOptions& common) {
  if (values.count("what") == 0) return {};
  const auto& words = values["what"].as<std::vector<std::string>>();
  if (words.front() != "runs") return {};
  if (words.size() > 2) throw InputError("validate runs takes one table");
  for (const char* name : {"cluster", "protocol"})
    if (values.count(name) > 0 && !values[name].defaulted())
      throw InputError({}, fmt::format("--{}", name), "acts with validate collectives alone");
  return words.size() == 2 ? std::filesystem::path(words[1])
                           : common.configs / "measured" / "training-runs.csv";
}

/// The tables after this word, those that ship where there are none; nothing where another word
/// comes first.
std::optional<std::vector<std::filesystem::path>> tables_after(const char* word,
                                                               const options::variables_map& values,
                                                               const CommonOptions& common) {
  if (values.count("what") == 0) return {};
  const auto& words = values["what"].as<std::vector<std::string>>();
  if (words.front() != word) return {};
  if (values.count("cluster") > 0)
    throw InputError({}, "--cluster", "acts with validate collectives alone");
  std::vector<std::filesystem::path> tables(words.begin() + 1, words.end());
  return tables.empty() ? tables_of_steps(common.configs) : tables;
}

bool asks_for_detection(const options::variables_map& values) {
  if (values.count("what") == 0) return false;
  const auto& words = values["what"].as<std::vector<std::string>>();
  if (words.front() != "detection") return false;
  if (words.size() > 1) throw InputError("validate detection takes no table");
  for (const char* name : {"cluster", "protocol"})
    if (values.count(name) > 0 && !values[name].defaulted())
      throw InputError({}, fmt::format("--{}", name), "acts with validate collectives alone");
  return true;
}

/// The files named after the word `collectives`.
std::vector<std::filesystem::path> files_of(const options::variables_map& values) {
  const std::vector<std::string> kinds{"collectives", "detection", "energy",
                                       "runs",        "steps",     "plans"};
  if (values.count("what") == 0)
    throw InputError("validate needs what and where, e.g. `tofn validate collectives logs/`");
  const auto& words = values["what"].as<std::vector<std::string>>();
  if (words.front() != kinds.front())
    throw InputError(unknown_name("validation", words.front(), kinds));
  if (words.size() == 1)
    throw InputError("validate collectives needs a file or a folder of measured collectives");
  std::vector<std::filesystem::path> files;
  for (std::size_t i = 1; i < words.size(); ++i)
    for (auto& file : files_at(words[i])) files.push_back(std::move(file));
  return files;
}

/// All tables under the names of their files; what cannot be read or placed goes to `unread`.
std::vector<CollectiveTable> read_all(const std::vector<std::filesystem::path>& files,
                                      std::vector<std::string>& unread) {
  std::vector<CollectiveTable> tables;
  for (const auto& file : files) {
    try {
      for (CollectiveTable& table : read_collective_tables(file, {}).tables) {
        table.file = std::filesystem::path(table.file).filename().string();
        tables.push_back(std::move(table));
      }
    } catch (const InputError& error) {
      unread.emplace_back(error.what());
    }
  }
  return tables;
}

/// A broken file of configs/ stops the protocols that need it alone.
Scores scores_of(const ScoringProtocol& protocol, const std::vector<CollectiveTable>& tables,
                 const std::filesystem::path& configs, const options::variables_map& values) {
  if (!protocol.needs_knowledge) return protocol.score(tables, {});
  Library library = Library::load(configs);
  return protocol.score(tables, knowledge_of(library, configs, text_option(values, "cluster")));
}

}  // namespace

int run_validate(const std::vector<std::string>& words) {
  const auto values = parse(command_line(), words);
  if (!values) return 0;
  const CommonOptions common = read_common(*values);
  if (const auto table = energy_table(*values, common)) return validate_energy(common, *table);
  if (asks_for_detection(*values)) {
    Library library = Library::load(common.configs);
    const Knowledge knowledge = knowledge_of(library, common.configs, {});
    const auto trials = detection_trials(knowledge);
    const auto of_causes = cause_trials(knowledge);
    const auto cases =
        slow_cases_answer(common.configs / "measured" / "slow-collectives.csv", library, knowledge);
    write_answer(common, detection_text(trials) + causes_text(of_causes) + slow_cases_text(cases),
                 detection_records(trials, of_causes));
    return 0;
  }
  if (const auto table = runs_table(*values, common)) {
    const auto runs = runs_answer(common.configs, *table);
    write_answer(common, runs_text(runs) + goodput_text(goodput_answer(*table)),
                 runs_records(runs));
    return 0;
  }
  for (const auto& [word, validate] :
       {std::pair("steps", &validate_steps), std::pair("plans", &validate_plans)})
    if (const auto tables = tables_after(word, *values, common)) {
      const auto& asked = (*values)["protocol"];
      return validate(
          common, *tables,
          asked.defaulted() ? std::string(step_protocols.front().first) : asked.as<std::string>());
    }
  const ScoringProtocol& protocol =
      protocol_named((*values)["protocol"].as<std::string>(), "--protocol");
  if (values->count("cluster") > 0 && !protocol.needs_knowledge)
    throw InputError({}, "--cluster", "acts with --protocol formula or kin alone");
  std::vector<std::string> unread;
  const auto tables = read_all(files_of(*values), unread);
  const Scores scores = scores_of(protocol, tables, common.configs, *values);
  const std::string notes = validate_notes(scores, unread);
  if (scores.rows.empty()) {
    std::cerr << notes;
    throw InputError("nothing could be scored");
  }
  const std::string text = validate_text(protocol, scores.rows) + notes;
  if (common.format != Format::Table) std::cerr << text;
  write_answer(common, text, validate_records(scores.rows));
  return 0;
}

}  // namespace app
}  // namespace tofn
