#include "sim/answers/collective_candidates.hpp"
#include "sim/answers/fabric_training_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/machine_of_log.hpp"
#include "sim/report/collective_candidates_report.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/notes.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

struct Check {
  std::vector<JudgedTable> judged;
  std::vector<OpenVerdict> open;  ///< verdicts on tables of uncertain machine or placement
  std::vector<RefusedLog> refused;

  /// Judgements, one per table and possible machine; those with a certain machine come first.
  std::vector<JudgedTable> all() const {
    std::vector<JudgedTable> all = judged;
    for (const OpenVerdict& each : open)
      all.insert(all.end(), each.candidates.begin(), each.candidates.end());
    return all;
  }

  /// 0 if all tables are normal, 1 if all are judged and one is not normal, 2 if one cannot be
  /// judged.
  int exit_code() const {
    bool all_normal = true;
    for (const JudgedTable& each : judged) {
      if (each.judgement.is_undecided()) return 2;
      all_normal = all_normal && each.is_normal();
    }
    for (const OpenVerdict& each : open) {
      if (!each.is_normal()) return 2;
      all_normal = all_normal && *each.is_normal();
    }
    return !refused.empty() ? 2 : all_normal ? 0 : 1;
  }
};

/// Requested cluster; null if there is none. InputError if the log is from another machine.
const Cluster* requested_cluster(const options::variables_map& values,
                                 const std::filesystem::path& log, Library& library) {
  const auto name = option::cluster.of(values);
  if (!name) return nullptr;
  const Cluster& cluster = library.cluster(*name);
  require_machine_of_log(cluster, log, library);
  return &cluster;
}

void judge_log(const options::variables_map& values, const std::filesystem::path& log,
               Library& library, const Knowledge& knowledge, Check& check) {
  const LogHints hints{.collective = option::collective.of(values),
                       .ranks = option::ranks.of(values),
                       .nodes = option::nodes.of(values),
                       .type = {}};
  CandidateReading reading =
      read_candidates(log, hints, requested_cluster(values, log, library), library, knowledge);
  for (const std::string& remark : reading.remarks) say(remark);
  for (TableCandidates& table : reading.tables) {
    for (LogCandidate& each : table.candidates) each.table.file = log.filename().string();
    OpenVerdict verdict = judge_candidates(table, knowledge);
    add_words_of_log(verdict.candidates, log);
    if (verdict.candidates.size() == 1)
      check.judged.push_back(std::move(verdict.candidates.front()));
    else
      check.open.push_back(std::move(verdict));
  }
}

/// Judges each log separately, so that one that is refused does not affect the others.
Check check_logs(const options::variables_map& values, Library& library,
                 const Knowledge& knowledge) {
  Check check;
  for (const std::string& log : option::logs_of_collectives.of(values)) try {
      judge_log(values, log, library, knowledge, check);
    } catch (const InputError& error) {
      check.refused.push_back({std::filesystem::path(log).filename().string(), error.what()});
      say(error.what());
    }
  return check;
}

struct TrainingOnLinks {
  std::string text;
  std::vector<std::optional<FabricTraining>> of_tables;
  bool is_whole = true;  ///< no table was refused
};

/// Predicts how much longer a step takes on each table's links; empty if no model is requested. A
/// table that does not allow this is reported, and keeps its verdict.
TrainingOnLinks training_on_links(const options::variables_map& values, const CommonOptions& common,
                                  Library& library, const std::vector<JudgedTable>& judged) {
  const auto name = option::training.of(values);
  if (!name) return {};
  const KernelProfile profile = found_stack(values, common.configs, option::stack.value(values));
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
  if (option::stack.is_given(values) && !option::training.is_given(values))
    throw InputError({}, option::stack.flag(), "changes nothing without --training");
  Library library = Library::load(common.configs);
  const Knowledge knowledge = knowledge_of(library, common.configs, option::cluster.of(values));
  const Check check = check_logs(values, library, knowledge);
  if (check.judged.empty() && check.open.empty() && common.format == Format::Table)
    return {.exit_code = 2};
  TrainingOnLinks training = training_on_links(values, common, library, check.judged);
  if (option::training.is_given(values))
    for (const OpenVerdict& each : check.open) {
      training.is_whole = false;
      say(each.candidates.front().table.file +
          ": --training: needs one machine and placement: " + settling_options(each));
    }
  const AnswerText judged = collective_check_text(check.judged);
  const AnswerText open = collective_candidates_text(check.open);
  std::vector<std::string> next{"--details for all rows"};
  if (training.text.empty()) next.emplace_back("--training MODEL for what a step loses");
  return {.text = judged.screen + open.screen + training.text + listed_note("next", next),
          .details = judged.details + open.details,
          .records = collective_check_records(check.all(), check.refused, training.of_tables),
          .exit_code = training.is_whole ? check.exit_code() : 2};
}

}  // namespace app
}  // namespace tofn
