#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/answers/idle_choices.hpp"
#include "sim/answers/step_answer.hpp"
#include "sim/answers/step_check_answer.hpp"
#include "sim/answers/watch_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/app/model_log.hpp"
#include "sim/app/requested_step.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/collective_tables.hpp"
#include "sim/evidence/knowledge.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/step_check_report.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Options with the accelerators and the batch of the launch files, unless stated.
options::variables_map with_sizes_of(const Launched& launched, options::variables_map values) {
  const Plan& plan = launched.training.plan;
  const auto add = [&](const AnyOption& option, double size) {
    if (!option.is_given(values))
      values = with_option(std::move(values), option, fmt::format("{:g}", size));
  };
  add(option::accelerators, plan.accelerators());
  add(option::batch, plan.global_batch());
  return values;
}

/// Question about a logged step. Fields of the plan that the log does not state are chosen as in
/// other commands.
StepCheckQuestion question_of_log(const MeasuredStep& step, StatedPlan file, const Model& model,
                                  const Cluster& cluster, const KernelProfile& stack) {
  constexpr double most = 1e6;
  if (!file.micro_batch && step.micro_batch && *step.micro_batch <= most)
    file.micro_batch = static_cast<int>(*step.micro_batch);
  if (!file.micro_batch && !file.gradient_accumulation && step.gradient_accumulation > 1)
    file.gradient_accumulation = step.gradient_accumulation;
  const BestPlan by = filled_plan(with_stated_replicas(file), {.model = model,
                                                               .cluster = cluster,
                                                               .profile = stack,
                                                               .accelerators = step.accelerators,
                                                               .global_batch = step.global_batch});
  for (const std::string& sentence : choice_words(file, by)) say(sentence);
  StepCheckQuestion question{
      .ran = {.model = model, .plan = by.plan, .cluster = cluster, .measured = step.step},
      .stack = stack,
      .stated = file.stated,
      .spread = step.spread,
      .steps = step.steps,
      .is_one_figure = step.is_one_figure,
      .regimes = step.regimes};
  if (file.micro_batch || file.gradient_accumulation) question.stated.emplace_back("micro_batch");
  return question;
}

/// Adds to the question how the log's steps changed over time, and why.
void take_course(const std::string& log, const options::variables_map& values,
                 StepCheckQuestion& question) {
  const WatchAnswer now = watch({.file = log,
                                 .hints = {.accelerators = option::accelerators.as(values, whole<>),
                                           .global_batch = option::batch.of(values),
                                           .sequence_length = option::sequence_length.of(values)}});
  question.own_drift = now.own_drift;
  question.outside = now.outside;
  question.drift_cause = now.cause;
}

/// Share of the bandwidth of similar systems, else of the predicted one, that the largest message
/// of a table reaches.
double share_of_bandwidth(const TableJudgement& judgement) {
  const JudgedRow& largest = judgement.rows.back();
  const Seconds expected = largest.peers ? largest.peers->median : largest.scored.predicted;
  return expected / largest.scored.measured;
}

/// Adds the bandwidth of links inside nodes and between them, by the files of `--collectives`. The
/// slowest table of each counts.
void take_collectives(const options::variables_map& values, const CommonOptions& common,
                      Library& library, StepCheckQuestion& question) {
  const auto files = split_list(option::collectives.of(values).value_or(""));
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
      auto& share = table.nodes > 1 ? question.links.network : question.links.scale_up;
      const double found = judgement.is_normal() ? 1 : share_of_bandwidth(judgement);
      share = std::min(share.value_or(found), found);
    }
  }
}

}  // namespace

CommandOptions check_rows() {
  return rows_for(every_job & ~(steps_of_table | steps_of_records),
                  {&option::step_log, &option::collectives});
}

CommandAnswer check_step(const options::variables_map& given, const CommonOptions& common) {
  const std::string log = option::step_log.value(given);
  options::variables_map values = with_option(given, option::regime, "last");
  Library library = Library::load(common.configs);
  const std::optional<Launched> launched = launched_of(values, common, library);
  if (!launched) values = with_sequence_length(values, log);
  RequestedStep asked = requested_step(values, common, launched);
  if (launched) values = with_sizes_of(*launched, values);
  const Cluster cluster =
      with_requested_calibration(values, common, library, library.cluster(asked.cluster));
  const auto steps = read_model_log(log, values, common, asked.model, asked.stack, asked.plan);
  if (steps.size() > 1)
    say(fmt::format("{}: {} runs or batches: the last is checked, of {:g} samples a step", log,
                    steps.size(), steps.back().global_batch));
  if (!option::stack.is_given(values) && !launched)
    say("--stack is not stated: the mean over stacks is taken, similar jobs are of all");
  StepCheckQuestion question = at_key({.file = log}, "", [&] {
    return question_of_log(steps.back(), with_sizes_of(steps.back(), asked.plan), asked.model,
                           cluster, asked.stack);
  });
  take_course(log, values, question);  // its errors name the log
  const StepCheckAnswer answer = at_key({.file = log}, "", [&] {
    take_collectives(values, common, library, question);
    return step_check(question, common.configs);
  });
  CommandAnswer printed = command_answer(step_check_text(answer), step_check_records(answer),
                                         answer.verdict == StepVerdict::Slow ? 1 : 0);
  std::vector<std::string> next{"tofn watch " + log, "--details"};
  if (!option::collectives.is_given(values))
    next.insert(next.begin(), "--collectives LOG tells slow links from other causes");
  printed.text += listed_note("next", next);
  return printed;
}

}  // namespace app
}  // namespace tofn
