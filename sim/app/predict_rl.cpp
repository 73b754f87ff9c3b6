#include <algorithm>

#include <fmt/format.h>

#include "sim/answers/rl_answer.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/predict_options.hpp"
#include "sim/app/rl_options.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/say_idle.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/report/rl_report.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

int whole_from_zero(const std::string& text, const std::string& flag) {
  return text == "0" ? 0 : whole<1000>(text, flag);
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
constexpr OptionOf<int> rl_prompts{{"prompts", "of one step of RL, e.g. 64"}, whole<most_samples>};
constexpr OptionOf<int> rl_generations{{"generations", "responses to each prompt, e.g. 32"},
                                       whole<100'000>};
constexpr OptionOf<int> response_length{
    {"response-length", "mean tokens of a response, e.g. 1060 or 4k"}, sequence_length_of};
constexpr OptionOf<int> max_length{
    {"max-length", "most tokens of prompt and response together, e.g. 4096"}, sequence_length_of};
constexpr OptionOf<int> prompt_length{
    {.name = "prompt-length",
     .help = "mean tokens of a prompt (assumed, as of mathematics)",
     .usual = "120"},
    sequence_length_of};
constexpr OptionOf<double> length_spread{
    {.name = "length-spread",
     .help = "standard deviation of the logarithm of response lengths (assumed)",
     .usual = "0.6"},
    spread_of};
constexpr OptionOf<int> rl_updates{
    {.name = "updates", .help = "of the optimizer on the responses of one step", .usual = "1"},
    whole<10'000>};
constexpr OptionOf<int> steps_off{
    {.name = "steps-off",
     .help = "age in steps that responses may have; from 1 on generation runs beside training",
     .usual = "0"},
    whole_from_zero};
constexpr OptionOf<int> generators{
    {"generators",
     "accelerators that generate and do not train (default: all do both, or with --steps-off what "
     "gives the shortest step)"},
    whole<>};
constexpr OptionOf<int> engine_ranks{
    {"engine-tp", "accelerators of one engine (default: what gives the shortest step)"}, whole<>};
constexpr OptionOf<Precision> engine_precision{
    {.name = "engine-precision", .help = "of an engine's weights: bf16, fp8, fp4", .usual = "bf16"},
    choice<precision_names>};
constexpr OptionOf<int> max_sequences{
    {.name = "max-sequences", .help = "most that an engine runs at once", .usual = "256"}, whole<>};
constexpr OptionOf<bool> reference{
    {.name = "reference",
     .help = "on or off: log-probabilities of a reference model too, as a KL penalty needs them",
     .usual = "on"},
    on_or_off};
constexpr OptionOf<double> rl_steps{{"rl-steps", "of the whole run, whose time is printed"},
                                    trained_number};
}  // namespace option

CommandOptions rl_rows() {
  return rows_for(
      rl_predicted,
      {&option::rl, &option::rl_prompts, &option::rl_generations, &option::response_length,
       &option::max_length, &option::prompt_length, &option::length_spread, &option::rl_updates,
       &option::steps_off, &option::generators, &option::engine_ranks, &option::engine_precision,
       &option::max_sequences, &option::reference, &option::rl_steps});
}

void refuse_rl_options(const options::variables_map& values) {
  for (const CommandOption& row : rl_rows())
    if (row.option->is_given(values))
      throw InputError({}, row.option->flag(), "changes nothing without --rl");
}

namespace {

template <class T>
T needed_of_rl(const options::variables_map& values, const OptionOf<T>& option,
               std::string_view example) {
  if (const auto value = option.of(values)) return *value;
  throw InputError({}, option.flag(), fmt::format("is needed with --rl, e.g. {}", example));
}

ResponseLengths lengths_of(const options::variables_map& values) {
  const int prompt = option::prompt_length.value(values);
  const ResponseLengths lengths{
      .mean = 1.0 * needed_of_rl(values, option::response_length, "1060"),
      .cap = 1.0 * needed_of_rl(values, option::max_length, "4096") - prompt,
      .spread = option::length_spread.value(values)};
  if (lengths.mean > lengths.cap)
    throw InputError({}, option::max_length.flag(),
                     fmt::format("leaves {:g} tokens beside a prompt of {}: fewer than a mean "
                                 "response of {:g}",
                                 lengths.cap, prompt, lengths.mean));
  return lengths;
}

}  // namespace

CommandAnswer predict_rl(const options::variables_map& values) {
  refuse_idle_options(values, predict_rows(), rl_predicted);
  const RlAlgorithm algorithm = option::rl.value(values);
  const CommonOptions common = read_common(values);
  Library library = Library::load(common.configs);
  const KernelProfile stack = find_kernel_profile(common.configs, option::stack.value(values));
  Cluster cluster = with_requested_figures(values, library.cluster(needed_cluster(values)));
  const ResponseLengths lengths = lengths_of(values);
  const std::vector<int> sizes = option::accelerators.of(values).value_or(
      std::vector<int>{cluster.accelerators_per_node.value});
  const RlRequest request{
      .algorithm = algorithm,
      .model = as_run_by(stack.framework_defaults, find_model(common.configs, needed_job(values))),
      .cluster = std::move(cluster),
      .profile = stack,
      .plan = plan_of(values, common.configs, stack.framework_defaults),
      .sizes = sizes,
      .prompts = 1.0 * needed_of_rl(values, option::rl_prompts, "64"),
      .generations = 1.0 * needed_of_rl(values, option::rl_generations, "32"),
      .prompt_tokens = 1.0 * option::prompt_length.value(values),
      .lengths = lengths,
      .updates = option::rl_updates.value(values),
      .has_reference = option::reference.value(values),
      .steps_off = option::steps_off.of(values),
      .generators = option::generators.of(values),
      .engine_ranks = option::engine_ranks.of(values),
      .engine_weights = option::engine_precision.value(values),
      .most_sequences = option::max_sequences.value(values),
      .steps = option::rl_steps.of(values)};
  const RlAnswer answer = rl_answer(request);
  say_idle(answer.points);
  const AnswerText text = rl_text(request, answer);
  const bool fit = std::all_of(answer.points.begin(), answer.points.end(),
                               [](const RlPoint& each) { return !each.split || each.split->fits; });
  return {.text = text.screen,
          .details = text.details,
          .records = rl_records(request, answer),
          .exit_code = fit ? 0 : 1};
}

}  // namespace app
}  // namespace tofn
