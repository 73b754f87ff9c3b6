#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/app/plan_request.hpp"
#include "sim/app/rl_options.hpp"
#include "sim/app/run_limits.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/stoppable_search.hpp"
#include "sim/app/subject.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/row_named.hpp"
#include "sim/report/next_measurement_report.hpp"
#include "sim/report/plan_report.hpp"
#include "sim/report/sensitivity_report.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr const char* examples =
    "  tofn plan llama2-13b dgx-h100 --tokens 2T -N 64..512 --deadline 30d --by cost\n"
    "  tofn plan llama3-70b dgx-h100 dgx-h200:256 dgx-b200 -N 256..512 --tokens 1T --budget 5M\n"
    "  tofn plan mixtral-8x7b dgx-b200 -N 64..256 --tokens 500B --deadline 30d --confidence 0.8\n"
    "  tofn plan llama2-13b aws-p5 --tokens 2T --deadline 30d --price-term on_demand,spot\n"
    "  tofn plan llama3-8b dgx-h100 dgx-b200 -N 8..64 --rl grpo --prompts 64 --generations 32 "
    "--response-length 1060 --max-length 4096 --rl-steps 400\n\n"
    "CLUSTER:N is a stock of up to N accelerators; without clusters all that have a price are "
    "tried.\n"
    "Between doublings quarter steps about the best are tried too. Batch and precision are chosen\n"
    "where they are not stated. Ctrl-C ends the search with the best so far.\n";

Objective objective_named(const std::string& text, const std::string& flag) {
  return row_named(objectives, "objective", text, {}, flag);
}

double confidence_in(const std::string& text, const std::string& flag) {
  const auto confidence = share_of(text);
  if (!confidence || !(*confidence > 0 && *confidence < 1))
    throw InputError({}, flag,
                     fmt::format("expected a share between 0 and 1, such as 0.9 or 90%, got '{}'",
                                 shortened(text)));
  return *confidence;
}

}  // namespace

namespace option {

constexpr OptionOf<double> confidence{
    {.name = "confidence",
     .help = "probability with which the run keeps limits, e.g. 0.8 or 80%",
     .default_text = "0.9"},
    confidence_in};
constexpr OptionOf<Objective> by{
    {.name = "by",
     .help = "quantity to minimise: time, cost, energy, cost-x-time or carbon",
     .default_text = "cost"},
    objective_named};
constexpr Text save_plan{{.name = "save-plan",
                          .help = "write the best plan to this file (.yaml), for --plan",
                          .is_for_pages = false,
                          .writes_file = true}};

}  // namespace option

CommandOptions plan_run_rows() {
  // These options define the search, so the chosen candidate is predicted without them.
  constexpr Jobs searched = every_job & ~choice_predicted;
  constexpr Jobs but_of_rl = searched & ~(rl_predicted | replaced_in_rl);
  return joined(
      {{{&option::model,
         searched,
         "a name of `tofn list models` or `tofn list runs`, or a file (.yaml, config.json)",
         {},
         1},
        {&option::clusters, searched, {}, {}, -1},
        {&option::accelerators, searched, "accelerators, e.g. 8..256, or 64,96", "8..1024"},
        {&option::confidence, searched},
        {&option::sensitivity, but_of_rl},
        {&option::next_measurement, but_of_rl,
         "the measurements that would make the choice between the best and its runner-up surer, "
         "what each takes and the chance of a right choice after it, the best first"},
        {&option::by, searched},
        {&option::whole_units, searched},
        {&option::save_plan, but_of_rl}},
       limit_rows(),
       run_rows(),
       search_rows("all"),
       {emit_row()}});
}

CommandLine plan_command_line() {
  return {"plan MODEL|RUN [CLUSTER[:N]...] --tokens T [OPTIONS]", examples,
          joined({plan_run_rows(), rl_rows()})};
}

namespace {

/// Requested run, and the same run in FP8 if its precision is free and the stack has FP8.
std::vector<StatedRun> in_precisions(const StatedRun& run, bool stack_has_fp8) {
  std::vector<StatedRun> runs{run};
  const bool is_free = std::ranges::none_of(run.phases, [](const RunPhase& phase) {
    return phase.plan.fixes("precision") ||
           requested_precision(phase.model, phase.plan.split) >= Precision::Fp8;
  });
  if (!is_free || !stack_has_fp8) return runs;
  StatedRun& narrow = runs.emplace_back(run);
  for (RunPhase& phase : narrow.phases) {
    phase.plan.split.precision = Precision::Fp8;
    phase.plan.stated.emplace_back("precision");
  }
  return runs;
}

void save_plan(const std::string& file, const RunCandidate& shown, const std::string& origin) {
  const Plan& plan = shown.point.estimate->plan;
  write_text_file_atomically(
      file, plan_file_yaml(plan, std::filesystem::path(file).stem().string(), origin));
}

/// Best candidate, otherwise the one that is nearest to the limits.
const RunCandidate& shown_of(const RunChoice& choice) {
  return choice.candidates[choice.best.value_or(choice.nearest)];
}

void add_sensitivity(const RunSearch& request, const RunChoice& choice, CommandAnswer& answer) {
  const Sensitivity sensitivity = sensitivity_of(*shown_of(choice).point.estimate, request.profile);
  answer.text += break_even_text(break_evens(request, choice)) + sensitivity_text(sensitivity);
  answer.records = sensitivity_records(sensitivity);
}

void add_next_measurement(const RunSearch& request, const RunChoice& choice,
                          CommandAnswer& answer) {
  std::optional<ChoiceUncertainty> uncertain;
  if (choice.best && choice.runner_up) uncertain = choice_uncertainty(request, choice);
  answer.text += choice_measurement_text(uncertain ? &*uncertain : nullptr);
  answer.records = choice_measurement_records(uncertain.value_or(ChoiceUncertainty{}));
}

/// Answer for the candidate that is shown; also writes the files of `--save-plan` and `--emit`.
CommandAnswer choice_answer(const options::variables_map& values, const RunSearch& request,
                            const RunChoice& choice, const Launcher* launcher) {
  const std::string command = again(values, request, choice);
  const RunCandidate& shown = shown_of(choice);
  if (const auto file = option::save_plan.of(values)) save_plan(*file, shown, command);
  CommandAnswer answer = command_answer(plan_text(request, choice, command),
                                        plan_records(request, choice), choice.best ? 0 : 1);
  if (option::sensitivity.is_given(values))
    add_sensitivity(request, choice, answer);
  else if (option::next_measurement.is_given(values))
    add_next_measurement(request, choice, answer);
  add_launch_file({.launcher = launcher,
                   .run = request.runs[shown.run],
                   .subject = option::model.value(values),
                   .plan = shown.point.estimate->plan,
                   .cluster = request.offers[shown.offer].cluster},
                  read_common(values), answer);
  return answer;
}

/// Throws InputError for a workload, because its benchmark fixes the plan and the batch.
void require_free_plan(const std::string& name, const CommonOptions& common) {
  const Subject subject = subject_of(name, common.configs);
  if (subject.is_model || subject.is_run) return;
  throw InputError(fmt::format(
      "{} is a workload: its plan and batch are those of its benchmark's runs; `tofn scale {} "
      "CLUSTER` gives time, energy and cost of each size",
      name, name));
}

}  // namespace

CommandAnswer run_plan(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const auto subject = option::model.of(values);
  if (!subject)
    throw InputError({}, std::string(option::model.name),
                     "is needed, e.g. `tofn plan llama3-70b dgx-h100 --tokens 2T --deadline 30d`");
  require_free_plan(*subject, common);
  if (is_of_rl(values, subject))
    return plan_rl(values, option::confidence.value(values), option::by.value(values));
  refuse_rl_options(values);
  const Launcher* const launcher = emitted_launcher(values);
  refuse_two_tables(values);
  const std::string stack_name = stack_name_of(values, common, *subject);
  const KernelProfile stack = found_stack(values, common.configs, stack_name);
  Library library = Library::load(common.configs);
  const StatedRun run = run_of(values, common, *subject, stack);
  if (run.is_one_step)
    throw InputError({}, option::tokens.flag(), "is needed, or --samples: how much it trains");
  StoppableSearch search;
  const RunSearch request{.runs = in_precisions(run, has_fp8(common.configs, stack_name)),
                          .offers = offers_of(values, library),
                          .profile = stack,
                          .by = option::by.value(values),
                          .limits = limits_of(values),
                          .confidence = option::confidence.value(values),
                          .overrun = option::overrun.value(values),
                          .grid_intensity = grid_of(values),
                          .space = option::search.value(values),
                          .is_stopped = search.is_stopped(),
                          .on_progress = search.on_progress()};
  const auto chosen = search.choice([&] { return run_choice(request); });
  if (!chosen) return {.exit_code = search.exit_code()};
  CommandAnswer answer = choice_answer(values, request, *chosen, launcher);
  if (chosen->not_tried > 0) answer.exit_code = search.exit_code();
  return answer;
}

}  // namespace app
}  // namespace tofn
