#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/answers/merged_expenses.hpp"
#include "sim/answers/rl_answer.hpp"
#include "sim/answers/sensitivity_answer.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/predict_options.hpp"
#include "sim/app/rl_options.hpp"
#include "sim/app/run_limits.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/say_idle.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_run.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/report/next_measurement_report.hpp"
#include "sim/report/rl_report.hpp"
#include "sim/report/sensitivity_report.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

int age_of(const std::string& text, const std::string& flag) {
  constexpr int most = 1000;
  long long age = 0;
  if (parse_integer(text, age) && age >= 0 && age <= most) return static_cast<int>(age);
  throw InputError(
      {}, flag,
      fmt::format("expected a whole number from 0 to {}, got '{}'", most, shortened(text)));
}

/// Whole steps of a run, such as `400` or `2k`.
double steps_of(const std::string& text, const std::string& flag) {
  constexpr double most = 1e9;
  const auto steps = parse_count(text);
  if (steps && *steps >= 1 && *steps <= most && std::floor(*steps) == *steps) return *steps;
  throw InputError({}, flag,
                   fmt::format("expected a whole number of steps from 1 to a billion, such as 400, "
                               "got '{}'",
                               shortened(text)));
}

double spread_of(const std::string& text, const std::string& flag) {
  double spread = 0;
  constexpr double most = 3;
  if (parse_number(text, spread) && spread >= 0 && spread <= most) return spread;
  throw InputError({}, flag,
                   fmt::format("expected a number from 0 to 3, got '{}'", shortened(text)));
}

}  // namespace

namespace option {
constexpr OptionOf<int> rl_prompts{{"prompts", rl_words::prompts}, whole<most_samples>};
constexpr OptionOf<int> rl_generations{{"generations", rl_words::generations}, whole<100'000>};
constexpr OptionOf<int> response_length{{"response-length", rl_words::response},
                                        sequence_length_of};
constexpr OptionOf<int> max_length{{"max-length", rl_words::longest}, sequence_length_of};
constexpr OptionOf<int> prompt_length{
    {.name = "prompt-length", .help = rl_words::prompt, .default_text = "120"}, sequence_length_of};
constexpr OptionOf<double> length_spread{
    {.name = "length-spread", .help = rl_words::spread, .default_text = "0.6"}, spread_of};
constexpr OptionOf<int> rl_updates{
    {.name = "updates", .help = rl_words::updates, .default_text = "1"}, whole<most_rl_updates>};
constexpr OptionOf<int> steps_off{
    {.name = "steps-off", .help = rl_words::steps_off, .default_text = "0"}, age_of};
constexpr OptionOf<int> generators{{"generators", rl_words::generators}, whole<>};
constexpr OptionOf<int> engine_ranks{{"engine-tp", rl_words::engine_ranks}, whole<>};
constexpr OptionOf<EngineAttention> engine_attention{
    {"engine-attention", rl_words::engine_attention}, choice<engine_attentions>};
constexpr OptionOf<Precision> engine_precision{
    {.name = "engine-precision", .help = rl_words::engine_precision, .default_text = "bf16"},
    choice<precision_names>};
constexpr OptionOf<int> max_sequences{
    {.name = "max-sequences", .help = rl_words::most_sequences, .default_text = "256"}, whole<>};
constexpr OptionOf<bool> reference{
    {.name = "reference", .help = rl_words::reference, .default_text = "on"}, on_or_off};
constexpr OptionOf<double> rl_steps{{"rl-steps", rl_words::steps}, steps_of};
}  // namespace option

CommandOptions rl_rows() {
  return rows_for(
      rl_predicted,
      {&option::rl, &option::rl_prompts, &option::rl_generations, &option::response_length,
       &option::max_length, &option::prompt_length, &option::length_spread, &option::rl_updates,
       &option::steps_off, &option::generators, &option::engine_ranks, &option::engine_attention,
       &option::engine_precision, &option::max_sequences, &option::reference, &option::rl_steps});
}

void refuse_rl_options(const options::variables_map& values) {
  for (const CommandOption& row : rl_rows())
    if (row.option->is_given(values))
      throw InputError({}, row.option->flag(), "changes nothing without --rl");
}

namespace {

/// Stated value; absent where the option's default holds.
template <class T>
std::optional<T> stated(const options::variables_map& values, const OptionOf<T>& option) {
  return option.is_given(values) ? option.of(values) : std::nullopt;
}

template <class T>
T needed_of_rl(const options::variables_map& values, const OptionOf<T>& option,
               std::string_view example) {
  if (const auto value = option.of(values)) return *value;
  throw InputError({}, option.flag(), fmt::format("is needed with --rl, e.g. {}", example));
}

RlJob rl_job_of(const options::variables_map& values) {
  const RlJob job{.algorithm = option::rl.value(values),
                  .prompts = 1.0 * needed_of_rl(values, option::rl_prompts, "64"),
                  .generations = 1.0 * needed_of_rl(values, option::rl_generations, "32"),
                  .stated_prompt_tokens = stated(values, option::prompt_length),
                  .response_tokens = 1.0 * needed_of_rl(values, option::response_length, "1060"),
                  .longest_tokens = 1.0 * needed_of_rl(values, option::max_length, "4096"),
                  .stated_spread = stated(values, option::length_spread),
                  .updates = option::rl_updates.value(values),
                  .has_reference = option::reference.value(values),
                  .steps_off = stated(values, option::steps_off),
                  .generators = option::generators.of(values),
                  .engine_ranks = option::engine_ranks.of(values),
                  .engine_attention = option::engine_attention.of(values),
                  .stated_engine_weights = stated(values, option::engine_precision),
                  .stated_sequences = stated(values, option::max_sequences),
                  .steps = option::rl_steps.of(values)};
  at_key({}, option::max_length.flag(), [&] { return job.lengths(); });
  at_key({}, option::rl_updates.flag(), [&] { return job.responses_of_update(); });
  return job;
}

/// Run of a file that states RL post-training; options do not replace what it states.
StatedRun rl_run_of_file(const options::variables_map& values, const CommonOptions& common,
                         const std::string& name) {
  StatedRun run = find_run(common.configs, name);
  for (const CommandOption& row : rl_rows())
    if (row.option->is_given(values))
      throw InputError({}, row.option->flag(),
                       run.phases.front().rl
                           ? fmt::format("is what run {} says: leave it out", name)
                           : fmt::format("{} is a run without RL: name its model", name));
  return run;
}

std::string needed_model(const options::variables_map& values) {
  if (const auto name = option::job.of(values)) return *name;
  throw InputError("which model? for example: llama3-8b; `tofn list models` shows all");
}

/// InputError if an option is given that acts on whole runs alone.
void refuse_run_options(const options::variables_map& values) {
  std::vector<const AnyOption*> of_runs{&option::start_up, &option::overrun, &option::prices};
  for (const CommandOption& row : joined({{grid_row()}, expense_rows(), limit_rows()}))
    of_runs.push_back(row.option);
  for (const AnyOption* each : of_runs)
    if (each->is_given(values))
      throw InputError({}, each->flag(),
                       fmt::format("is of a whole run: say how many steps it has ({})",
                                   option::rl_steps.flag()));
}

/// Run of one phase by the options.
StatedRun rl_run_of_options(const options::variables_map& values, const CommonOptions& common,
                            const std::string& model) {
  StatedRun run;
  RunPhase& phase = run.phases.emplace_back();
  phase.model = find_model(common.configs, model);
  phase.plan.name = "asked for";
  phase.rl = rl_job_of(values);
  const auto attention = phase.rl->engine_attention;
  const Decoder decoder = decoder_of(phase.model);
  if (attention)
    at_key({}, option::engine_attention.flag(),
           [&] { require_engine_attention(decoder, *attention); });
  if (const auto ranks = phase.rl->engine_ranks)
    at_key({}, option::engine_ranks.flag(),
           [&] { require_engine_size(decoder, *ranks, attention); });
  return run;
}

}  // namespace

bool is_of_rl(const options::variables_map& values, const std::optional<std::string>& job) {
  if (option::rl.is_given(values)) return true;
  const CommonOptions common = read_common(values);
  return job && names_run(common.configs, *job) && find_run(common.configs, *job).phases.front().rl;
}

RlRequest rl_request_of(const options::variables_map& values, const std::string& job) {
  const CommonOptions common = read_common(values);
  const KernelProfile stack = stack_of(values, common, job);
  const StatedRun run = names_run(common.configs, job) ? rl_run_of_file(values, common, job)
                                                       : rl_run_of_options(values, common, job);
  const RunPhase& phase = run.phases.front();
  return {.rl = *phase.rl,
          .model = as_run_by(stack.framework_defaults, phase.model),
          .cluster = {},
          .profile = stack,
          .plan = plan_of(values, common.configs, stack.framework_defaults, phase.plan),
          .name = run.name,
          .start_up = option::start_up.of(values).value_or(run.start_up),
          .expenses = run.interruptions,
          .grid_intensity = grid_of(values),
          .overrun = option::overrun.value(values)};
}

CommandAnswer predict_rl(const options::variables_map& values) {
  refuse_idle_options(values, predict_rows(), rl_predicted);
  const std::string job = needed_model(values);
  const CommonOptions common = read_common(values);
  Library library = Library::load(common.configs);
  const auto prices = price_list_of(values, library);
  const Cluster cluster = as_requested(values, library.cluster(needed_cluster(values)), prices);
  RlRequest request = rl_request_of(values, job);
  if (request.is_one_step()) refuse_run_options(values);
  const ExpenseOptions expenses = listed_expenses(read_expense_options(values), cluster, prices);
  request.cluster = cluster;
  request.expenses = merged_expenses(expenses, request.expenses);
  request.sizes = option::accelerators.of(values).value_or(
      std::vector<int>{cluster.accelerators_per_node.value});
  request.limits = answerable_limits(values, cluster, expenses);
  const RlAnswer answer = rl_answer(request);
  say_idle(answer.points);
  const AnswerText text = rl_text(request, answer);
  const std::vector<RunPoint> points(answer.points.begin(), answer.points.end());
  Records records = rl_records(request, answer);
  std::string screen = text.screen;
  const auto only = [&](const AnyOption& option) -> const RunEstimate& {
    return *only_point(points, option.flag()).estimate;
  };
  if (option::sensitivity.is_given(values)) {
    const Sensitivity found = sensitivity_of(only(option::sensitivity), request.profile);
    screen += sensitivity_text(found);
    records = sensitivity_records(found);
  } else if (option::next_measurement.is_given(values)) {
    const TimeUncertainties found =
        uncertainties_of(only(option::next_measurement), request.profile);
    screen += next_measurement_text(found);
    records = next_measurement_records(found);
  }
  return {.text = screen,
          .details = text.details,
          .records = records,
          .exit_code = all_fit(points) && may_keep(points, request.limits) ? 0 : 1};
}

}  // namespace app
}  // namespace tofn
