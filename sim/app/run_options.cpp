#include "sim/app/run_options.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/expense/expense.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace app {
namespace {

/// Reads an amount such as `1000 steps`; a number without a unit counts samples.
Amount amount_in(const std::string& text, const std::string& flag) {
  if (const auto amount = parse_amount(text)) return *amount;
  if (const auto count = parse_count(text); count && *count > 0) return {*count, Counted::Samples};
  throw InputError({}, flag,
                   fmt::format("expected an amount such as '1000 steps', '512 samples' or '1B "
                               "tokens', got '{}'",
                               shortened(text)));
}

Amount critical_batch_in(const std::string& text, const std::string& flag) {
  const auto amount = parse_amount(text);
  if (amount && (amount->of == Counted::Tokens || amount->of == Counted::Samples)) return *amount;
  throw InputError(
      {}, flag,
      fmt::format("expected e.g. '20M tokens' or '512 samples', got '{}'", shortened(text)));
}

/// Reads the grams of CO2 equivalent per kWh.
double grid_in(const std::string& text, const std::string& flag) {
  return at_key({}, flag, [&] { return grid_intensity_of(text); });
}

double memory_margin_in(const std::string& text, const std::string& flag) {
  const auto share = share_of(text);
  if (share && *share >= 0 && *share < 1) return *share;
  throw InputError({}, flag,
                   fmt::format("expected a share from 0% to below 100%, such as 5% or 0.05, got "
                               "'{}'",
                               shortened(text)));
}

}  // namespace

namespace option {

constexpr OptionOf<Amount> critical{
    {"critical-batch",
     "batch that doubles what a loss takes, e.g. '20M tokens' (default: by a law)"},
    critical_batch_in};
constexpr OptionOf<Amount> evaluate_every{
    {"evaluate-every", "distance from one evaluation to the next, e.g. '1000 steps'"}, amount_in};
constexpr OptionOf<Amount> evaluate{
    {"evaluate", "samples or tokens of one evaluation, e.g. '512 samples'"}, amount_in};
constexpr OptionOf<double> grid{{"grid", "g CO2e of a kWh (default: 480, the world's mean)"},
                                grid_in};
constexpr OptionOf<double> memory_margin{
    {"memory-margin", "share of the memory that plans leave free, e.g. 5%"}, memory_margin_in};

}  // namespace option

namespace {

/// Samples by an option, or by the one that counts them in tokens; absent if neither is given.
/// InputError if both are, or if the model's samples have no tokens.
std::optional<double> samples_of(const options::variables_map& values, const AnyOption& in_samples,
                                 const AnyOption& in_tokens, const Model& model) {
  const auto samples = in_samples.as(values, trained_number);
  const auto tokens = in_tokens.as(values, trained_number);
  if (samples && tokens)
    throw InputError(
        {}, in_tokens.flag(),
        fmt::format("cannot be stated together with {}: leave one out", in_samples.flag()));
  if (!tokens) return samples;
  if (model.sequence_length <= 0)
    throw InputError(
        {}, in_tokens.flag(),
        fmt::format("samples of {} are no texts: use {}", model.name, in_samples.flag()));
  return *tokens / model.sequence_length;
}

/// Samples of a batch of `tokens`; reports the batch if these are not whole samples.
double reported_batch(const options::variables_map& values, double tokens, const Model& model) {
  const double samples = batch_samples(tokens, model.sequence_length);
  const double taken = samples * model.sequence_length;
  if (taken != tokens)
    say(fmt::format("--batch-tokens {} is taken as {}, {} tokens",
                    option::batch_tokens.text(values).value(),
                    counted(std::llround(samples), "sample"), count_text(taken, 4)));
  return samples;
}

/// Requested batch in samples; absent if none is requested. InputError unless it is whole.
std::optional<double> batch_of(const options::variables_map& values, const Model& model) {
  const auto samples = samples_of(values, option::batch, option::batch_tokens, model);
  if (samples && option::batch_tokens.is_given(values))
    return reported_batch(values, *samples * model.sequence_length, model);
  if (samples && *samples != std::floor(*samples))
    throw InputError({}, option::batch.flag(), "expected whole samples");
  return samples;
}

double requested_default_batch(const options::variables_map& values, const StatedRun& run) {
  const bool is_of_replicas = option::replica_batch.is_given(values);  // needs no other batch
  const bool has_texts = run.phases.front().model.sequence_length > 0;
  if (!has_texts && is_of_replicas) return 1;
  if (!has_texts)
    throw InputError({}, option::batch.flag(), "is needed: samples of this model are no texts");
  return default_batch(run);
}

StatedEvaluation evaluation_of(const options::variables_map& values) {
  const auto every = option::evaluate_every.of(values);
  const auto takes = option::evaluate.of(values);
  if (every.has_value() != takes.has_value())
    throw InputError({}, (every ? option::evaluate : option::evaluate_every).flag(),
                     "is needed as well");
  return every ? StatedEvaluation{.every = every, .takes = *takes} : StatedEvaluation{};
}

StatedRun named_run(const options::variables_map& values, const CommonOptions& common,
                    const std::string& name) {
  for (const CommandOption& row : run_rows())
    if (row.option->is_given(values) && (row.acts_on & run_of_file) == 0)
      throw InputError({}, row.option->flag(),
                       fmt::format("is what run {} says: leave it out", name));
  return find_run(common.configs, name);
}

/// Words on a run that is shorter than its step.
std::string fewer_words(double samples, const Model& model, bool in_tokens) {
  const double length = model.sequence_length;
  return in_tokens ? fmt::format(
                         "a step takes {:.0f} tokens, {:g} samples of {:g}: state as many or "
                         "more, or a smaller --batch",
                         samples * length, samples, length)
                   : fmt::format(
                         "a step takes {:g} samples: state as many or more, or a smaller "
                         "--batch",
                         samples);
}

}  // namespace

StatedRun requested_run(const options::variables_map& values, const Model& model) {
  StatedRun run;
  RunPhase& phase = run.phases.emplace_back();
  phase.model = model;
  phase.plan.name = "asked for";
  run.name = phase.model.name;
  const auto samples = samples_of(values, option::samples, option::tokens, phase.model);
  const auto batch = batch_of(values, phase.model);
  run.is_one_step = !samples;
  run.critical_batch = option::critical.of(values);
  phase.stretches = {{.batch = 1, .samples = samples.value_or(1)}};
  const double of_step = batch ? *batch : requested_default_batch(values, run);
  run.has_default_batch = !batch;
  if (samples && *samples < of_step)
    throw InputError(
        {}, option::tokens.is_given(values) ? option::tokens.flag() : option::samples.flag(),
        fewer_words(of_step, phase.model, option::tokens.is_given(values)));
  phase.stretches = {{.batch = of_step, .samples = samples.value_or(of_step)}};
  run.evaluation = evaluation_of(values);
  return run;
}

CommandOption grid_row() { return {&option::grid, of_expenses}; }

CommandOptions run_rows() {
  constexpr Jobs request = of_models & ~run_of_file;
  constexpr Jobs of_choice = (request & ~choice_predicted) | replaced_in_rl;
  return joined({{{&option::tokens, of_choice},
                  {&option::samples, of_choice},
                  {&option::batch, of_choice | workload_predicted | workload_scaled},
                  {&option::batch_tokens, request | replaced_in_rl},
                  {&option::critical, of_models | replaced_in_rl},
                  {&option::evaluate_every, request},
                  {&option::evaluate, request},
                  {&option::start_up, of_models | rl_predicted},
                  grid_row(),
                  {&option::prices, of_expenses},
                  {.option = &option::stack,
                   .acts_on = of_models | quote_answer | rl_predicted,
                   .default_text = default_stack},
                  {&option::overrun, of_models | rl_predicted}},
                 model_rows(),
                 {what_if_row()},
                 plan_rows(),
                 expense_rows()});
}

bool names_run(const std::filesystem::path& configs, const std::string& name_or_file) {
  if (is_file_name(name_or_file)) return is_run(YamlNode::load(name_or_file));
  const auto files = files_in(configs, "runs");
  return std::ranges::any_of(files, [&](const auto& file) { return file.stem() == name_or_file; });
}

std::string stack_name_of(const options::variables_map& values, const CommonOptions& common,
                          const std::string& subject) {
  std::optional<std::string> stack = stack_of_steps(values);
  if (!stack && !option::stack.is_given(values) && names_run(common.configs, subject))
    stack = find_run(common.configs, subject).stack;
  if (const Launcher* launcher = emitted_launcher(values);
      launcher != nullptr && !stack && !option::stack.is_given(values)) {
    stack = launcher->stack;
    say(fmt::format("--emit {}: --stack {}", launcher->name, *stack));
  }
  return stack.value_or(option::stack.value(values));
}

KernelProfile stack_of(const options::variables_map& values, const CommonOptions& common,
                       const std::string& subject) {
  return found_stack(values, common.configs, stack_name_of(values, common, subject));
}

CommandOptions search_rows(std::string_view default_space) {
  return {{.option = &option::search, .acts_on = of_models, .default_text = default_space},
          {&option::memory_margin, of_models}};
}

std::optional<PriceList> price_list_of(const options::variables_map& values,
                                       const Library& library) {
  const auto file = option::prices.of(values);
  if (!file) return {};
  if (option::price.is_given(values))
    throw InputError({}, option::prices.flag(),
                     "cannot be stated together with --price: leave one out");
  return load_price_list(*file, library);
}

ExpenseOptions listed_expenses(ExpenseOptions options, const Cluster& cluster,
                               const std::optional<PriceList>& list) {
  const ListedPrices* listed = list ? list->of(cluster) : nullptr;
  if (listed != nullptr && options.term == PriceTerm::Spot && !options.time_to_preemption)
    options.time_to_preemption = listed->preemption_every;
  return options;
}

Cluster as_requested(const options::variables_map& values, Cluster cluster,
                     const std::optional<PriceList>& list) {
  if (list) cluster = priced(std::move(cluster), *list);
  cluster = with_requested_figures(values, std::move(cluster));
  cluster.accelerator.memory.value *= 1 - option::memory_margin.of(values).value_or(0);
  return cluster;
}

StatedRun run_of(const options::variables_map& values, const CommonOptions& common,
                 const std::string& subject, const KernelProfile& stack) {
  StatedRun run = names_run(common.configs, subject)
                      ? named_run(values, common, subject)
                      : requested_run(values, requested_model(values, common.configs, subject));
  if (run.phases.front().rl)
    throw InputError(
        fmt::format("{} is a run of RL post-training: `tofn predict` and `tofn plan` "
                    "answer for those",
                    run.name));
  for (RunPhase& phase : run.phases) {
    phase.model = as_run_by(stack.framework_defaults, phase.model);
    phase.plan = plan_of(values, common.configs, stack.framework_defaults, phase.plan);
  }
  if (const auto start_up = option::start_up.of(values)) run.start_up = *start_up;
  if (const auto critical = option::critical.of(values)) run.critical_batch = critical;
  return run;
}

std::optional<double> share_of(const std::string& text) {
  const bool is_percent = text.ends_with('%');
  double share = 0;
  if (!parse_number(is_percent ? text.substr(0, text.size() - 1) : text, share)) return {};
  return is_percent ? share / 100 : share;
}

double grid_of(const options::variables_map& values) {
  return option::grid.of(values).value_or(default_grid_intensity);
}

}  // namespace app
}  // namespace tofn
