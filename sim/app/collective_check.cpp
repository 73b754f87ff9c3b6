#include <algorithm>

#include <fmt/format.h>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/answers/fabric_training_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/machine_of_log.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/notes.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

struct Check {
  std::vector<JudgedTable> judged;
  std::vector<RefusedLog> refused;
};

/// What is asked for along with something else that the log does not say.
std::string with_question_of_cluster(const std::string& problem, const std::filesystem::path& log,
                                     const Library& library) {
  if (problem.find(": give --") == problem.npos) return problem;
  const MachineOfLog machine = machine_of_log(log, library);
  return machine.cluster() != nullptr ? problem : problem + "; and " + which_cluster(machine);
}

LogReading read_log(const options::variables_map& values, const std::filesystem::path& log,
                    const Library& library) {
  const LogHints hints{.collective = choice_option(values, "collective", collective_kinds),
                       .ranks = count_option(values, "ranks"),
                       .nodes = count_option(values, "nodes"),
                       .type = {}};
  try {
    return read_collective_tables(log, hints);
  } catch (const InputError& error) {
    if (values.count("cluster") > 0) throw;
    throw InputError(with_question_of_cluster(error.what(), log, library));
  }
}

/// The cluster that is asked for, else the only one that the log can be of.
MachineOfLog machine_of(const options::variables_map& values, const CollectiveTable& table,
                        const std::filesystem::path& log, Library& library,
                        const Knowledge& knowledge) {
  if (const auto name = text_option(values, "cluster")) {
    const Cluster& cluster = library.cluster(*name);
    require_machine_of_log(cluster, log, library);
    return {{&cluster}, "--cluster"};
  }
  MachineOfLog machine = machine_of_log(table, log, library, knowledge);
  if (machine.cluster() == nullptr)
    throw InputError({log.filename().string()}, "", which_cluster(machine));
  return machine;
}

std::vector<JudgedTable> judged_log(const options::variables_map& values,
                                    const std::filesystem::path& log, Library& library,
                                    const Knowledge& knowledge) {
  LogReading reading = read_log(values, log, library);
  for (const std::string& remark : reading.remarks) say(remark);
  std::vector<JudgedTable> judged;
  for (CollectiveTable& table : reading.tables) {
    table.file = std::filesystem::path(table.file).filename().string();
    const MachineOfLog machine = machine_of(values, table, log, library, knowledge);
    judged.push_back(judge_table(table, *machine.cluster(), machine.by, knowledge));
  }
  add_words_of_log(judged, log);
  return judged;
}

/// Each log by itself: one that cannot be judged takes no other's verdict away.
Check check_logs(const options::variables_map& values, Library& library,
                 const Knowledge& knowledge) {
  Check check;
  for (const std::string& log : values["check"].as<std::vector<std::string>>()) try {
      for (JudgedTable& each : judged_log(values, log, library, knowledge))
        check.judged.push_back(std::move(each));
    } catch (const InputError& error) {
      check.refused.push_back({std::filesystem::path(log).filename().string(), error.what()});
      say(error.what());
    }
  return check;
}

struct TrainingOnLinks {
  std::string text;
  std::vector<std::optional<FabricTraining>> of_tables;
  bool is_whole = true;  ///< nothing was refused
};

/// By how much a step is longer on each table's links; empty where no model is asked for. A table
/// that tells nothing of it is told so, and takes no verdict away.
TrainingOnLinks training_on_links(const options::variables_map& values, const CommonOptions& common,
                                  Library& library, const std::vector<JudgedTable>& judged) {
  const auto name = text_option(values, "training");
  if (!name) return {};
  const KernelProfile profile =
      find_kernel_profile(common.configs, values["stack"].as<std::string>());
  const Model model = as_run_by(profile.framework_defaults, find_model(common.configs, *name, {}));
  TrainingOnLinks training;
  for (const JudgedTable& each : judged) try {
      std::vector<CollectiveTable> of_its_log;
      for (const JudgedTable& other : judged)
        if (other.table.file == each.table.file) of_its_log.push_back(other.table);
      training.of_tables.emplace_back(
          fabric_training(each, of_its_log, library.cluster(each.cluster), model, profile));
      training.text += fabric_training_text(each, model, *training.of_tables.back());
    } catch (const InputError& error) {
      training.of_tables.emplace_back();
      training.is_whole = false;
      say(error.what());
    }
  return training;
}

}  // namespace

CommandAnswer check_collectives(const options::variables_map& values, const CommonOptions& common) {
  refuse_idle_options(values, collectives_checked);
  if (!values["stack"].defaulted() && values.count("training") == 0)
    throw InputError({}, "--stack", "changes nothing without --training");
  Library library = Library::load(common.configs);
  const Knowledge knowledge = knowledge_of(library, common.configs, text_option(values, "cluster"));
  const Check check = check_logs(values, library, knowledge);
  if (check.judged.empty() && common.format == Format::Table) return {.exit_code = 2};
  const TrainingOnLinks training = training_on_links(values, common, library, check.judged);
  const bool all_normal = std::all_of(check.judged.begin(), check.judged.end(),
                                      [](const JudgedTable& each) { return each.is_normal(); });
  const bool is_undecided =
      std::any_of(check.judged.begin(), check.judged.end(),
                  [](const JudgedTable& each) { return each.judgement.is_undecided(); });
  const AnswerText text = collective_check_text(check.judged);
  std::vector<std::string> next{"--details for all rows"};
  if (training.text.empty()) next.emplace_back("--training MODEL for what a step loses");
  return {.text = text.screen + training.text + listed_note("next", next),
          .details = text.details,
          .records = collective_check_records(check.judged, check.refused, training.of_tables),
          .exit_code = !check.refused.empty() || !training.is_whole || is_undecided ? 2
                       : all_normal                                                 ? 0
                                                                                    : 1};
}

}  // namespace app
}  // namespace tofn
