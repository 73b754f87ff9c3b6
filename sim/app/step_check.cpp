#include <array>
#include <string>

#include <fmt/format.h>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/answers/idle_choices.hpp"
#include "sim/answers/step_answer.hpp"
#include "sim/answers/step_check_answer.hpp"
#include "sim/answers/watch_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/model_log.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/step_check_report.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Options of `tofn step` that a measured step has no use for.
constexpr std::array useless_options{
    "replica-batch", "explain",         "trace",      "seed",         "slow-node",
    "slow-link",     "slow-stage",      "mixed-with", "other-stages", "other-layers",
    "balance",       "facility-factor", "observed",   "steps",        "cases",
    "leave-one-out", "measured",        "from",       "emit"};

std::string needed_with_check(const options::variables_map& values, const char* name) {
  if (const auto text = text_option(values, name)) return *text;
  throw InputError({}, name,
                   "is needed, e.g. `tofn step llama3-8b dgx-h100 --check train.log --stack nemo`");
}

Cluster cluster_of_check(const options::variables_map& values, const CommonOptions& common,
                         Library& library) {
  const Cluster& cluster = library.cluster(needed_with_check(values, "cluster"));
  const auto calibration = text_option(values, "calibration");
  return calibration ? measured_cluster(cluster, library, common.configs, *calibration) : cluster;
}

/// By the plan that every command takes where the log does not say more.
StepCheckQuestion question_of_log(const LoggedModelStep& logged, const Model& model,
                                  const Cluster& cluster, const KernelProfile& stack) {
  const MeasuredStep& step = logged.step;
  PlanFile file = logged.plan;
  constexpr double most = 1e6;
  if (!file.micro_batch && step.micro_batch && *step.micro_batch <= most)
    file.micro_batch = static_cast<int>(*step.micro_batch);
  if (!file.micro_batch && !file.gradient_accumulation && step.gradient_accumulation > 1)
    file.gradient_accumulation = step.gradient_accumulation;
  const BestPlan by = filled_plan({.model = model,
                                   .cluster = cluster,
                                   .profile = stack,
                                   .plan = with_stated_replicas(file),
                                   .accelerators = step.accelerators,
                                   .batch = step.global_batch});
  for (const std::string& sentence : choice_words(file, by)) say(sentence);
  StepCheckQuestion question{
      .ran = {.model = model, .plan = by.plan, .cluster = cluster, .measured = step.step},
      .stack = stack,
      .stated = file.stated,
      .spread = step.spread,
      .steps = step.steps,
      .regimes = step.regimes};
  if (file.micro_batch || file.gradient_accumulation) question.stated.emplace_back("micro_batch");
  return question;
}

/// What the log shows of how its steps went on.
void take_course(const std::string& log, const options::variables_map& values,
                 StepCheckQuestion& question) {
  constexpr int most_samples = 100'000'000;
  const WatchAnswer now =
      watch({.file = log,
             .hints = {.accelerators = count_option(values, "accelerators"),
                       .global_batch = count_option(values, "batch", most_samples),
                       .sequence_length = sequence_length_option(values)}});
  question.own_drift = now.own_drift;
  question.outside = now.outside;
  question.drift_cause = now.cause;
}

/// Collectives of the same machine, inside nodes and between them: one that is slow counts.
void take_collectives(const options::variables_map& values, const CommonOptions& common,
                      Library& library, StepCheckQuestion& question) {
  const auto files = split_list(text_option(values, "collectives").value_or(""));
  if (files.empty()) return;
  const Cluster& cluster = question.ran.cluster;
  const Knowledge knowledge = knowledge_of(library, common.configs, cluster.name);
  for (const std::string& file : files) {
    const LogReading reading = read_collective_tables(file, {});
    for (const std::string& remark : reading.remarks) say(remark);
    for (const CollectiveTable& table : reading.tables) {
      const TableJudgement judgement =
          judge_table(table, cluster, "the step's cluster", knowledge).judgement;
      if (judgement.is_undecided()) {
        say(fmt::format("{}: too few rows to tell whether its links are slow", file));
        continue;
      }
      const bool is_slow = judgement.slow.has_value();
      auto& links = table.nodes > 1 ? question.network_is_slow : question.scale_up_is_slow;
      links = links.value_or(false) || is_slow;
    }
  }
}

}  // namespace

void add_check_option(options::options_description& description) {
  description.add_options()  //
      ("check", options::value<std::string>(),
       "a training log: is a step of it as fast as similar published jobs, and what would explain "
       "that it is not? Exit code 0: it is, 1: it is slower; -N, --batch and the plan where the "
       "log does not state them")  //
      ("collectives", options::value<std::string>(),
       "with --check: measured collectives of that machine or job, files with commas, which tell "
       "slow links from what else is slow");
}

CommandAnswer check_step(const options::variables_map& given, const CommonOptions& common) {
  for (const char* name : useless_options)
    if (given.count(name) > 0 && !given[name].defaulted())
      throw InputError({}, std::string("--") + name, "changes nothing with --check");
  const std::string log = given["check"].as<std::string>();
  const options::variables_map values =
      with_option(with_sequence_length(given, log), "regime", "last");
  const KernelProfile stack =
      find_kernel_profile(common.configs, values["stack"].as<std::string>());
  const Model model =
      as_run_by(stack.framework_defaults,
                asked_model(values, common.configs, needed_with_check(values, "model")));
  Library library = Library::load(common.configs);
  const Cluster cluster = cluster_of_check(values, common, library);
  const auto steps = read_model_log(log, values, common, model, stack);
  if (steps.size() > 1)
    say(fmt::format("{}: {} runs or batches: the last is checked, of {:g} samples a step", log,
                    steps.size(), steps.back().step.global_batch));
  if (values["stack"].defaulted())
    say("--stack is not stated: the mean over stacks is taken, similar jobs are of all");
  const StepCheckAnswer answer = at_key({.file = log}, "", [&] {
    StepCheckQuestion question = question_of_log(steps.back(), model, cluster, stack);
    take_course(log, values, question);
    take_collectives(values, common, library, question);
    return step_check(question, common.configs);
  });
  const AnswerText text = step_check_text(answer);
  return {.text = text.screen +
                  listed_note("next", {"--collectives LOG tells slow links from other causes",
                                       "tofn watch " + log, "--details"}),
          .details = text.details,
          .records = step_check_records(answer),
          .exit_code = answer.verdict == StepVerdict::Slow ? 1 : 0};
}

}  // namespace app
}  // namespace tofn
