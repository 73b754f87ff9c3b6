#include "sim/app/run_options.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/app/launch_options.hpp"
#include "sim/app/what_if.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/expense/grid_intensity.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr std::array<std::pair<std::string_view, Overrun>, 2> overruns{
    {{"published", published_overrun}, {"none", no_overrun}}};

/// What the file of a run says.
constexpr std::array of_run_files{"tokens",         "samples",  "batch",           "batch-tokens",
                                  "evaluate-every", "evaluate", "sequence-length", "lora-rank",
                                  "lora-targets",   "freeze",   "packed-length"};

/// `1000 steps`; samples where no unit is given.
std::optional<Amount> amount_option(const options::variables_map& values, const char* name) {
  const auto text = text_option(values, name);
  if (!text) return {};
  if (const auto amount = parse_amount(*text)) return amount;
  return Amount{*large_number(values, name), Counted::Samples};
}

/// What runs train or batches hold: bounded, so that steps are countable.
std::optional<double> trained_number(const options::variables_map& values, const char* name) {
  constexpr double most = 1e18;  // ten thousand times what the largest runs have trained
  const auto count = large_number(values, name);
  if (count && *count > most)
    throw InputError(
        {}, std::string("--") + name,
        fmt::format("must be at most {:g}, got '{}'", most, shortened(*text_option(values, name))));
  return count;
}

/// Samples of an option, or of its twin that counts tokens.
std::optional<double> samples_of(const options::variables_map& values, const char* in_samples,
                                 const char* in_tokens, const Model& model) {
  const auto samples = trained_number(values, in_samples);
  const auto tokens = trained_number(values, in_tokens);
  if (samples && tokens)
    throw InputError({}, std::string("--") + in_tokens,
                     fmt::format("says the same as --{}: leave one out", in_samples));
  if (!tokens) return samples;
  if (model.sequence_length <= 0)
    throw InputError({}, std::string("--") + in_tokens,
                     fmt::format("samples of {} are no texts: use --{}", model.name, in_samples));
  return *tokens / model.sequence_length;
}

/// Says where what is taken is not what was asked.
double told_batch(const options::variables_map& values, double tokens, const Model& model) {
  const double samples = batch_samples(tokens, model.sequence_length);
  const double taken = samples * model.sequence_length;
  if (taken != tokens)
    say(fmt::format("--batch-tokens {} is taken as {:g} samples, {} tokens",
                    *text_option(values, "batch-tokens"), samples, count_text(taken, 4)));
  return samples;
}

/// Whole samples.
std::optional<double> batch_of(const options::variables_map& values, const Model& model) {
  const auto samples = samples_of(values, "batch", "batch-tokens", model);
  if (samples && values.count("batch-tokens") > 0)
    return told_batch(values, *samples * model.sequence_length, model);
  if (samples && *samples != std::floor(*samples))
    throw InputError({}, "--batch", "expected whole samples");
  return samples;
}

double asked_default_batch(const options::variables_map& values, const RunFile& run) {
  const bool is_of_replicas = values.count("replica-batch") > 0;  // then no other is asked for
  const bool has_texts = run.phases.front().model.sequence_length > 0;
  if (!has_texts && is_of_replicas) return 1;
  if (!has_texts) throw InputError({}, "--batch", "is needed: samples of this model are no texts");
  return default_batch(run);
}

std::optional<Amount> critical_batch_of(const options::variables_map& values) {
  const auto text = text_option(values, "critical-batch");
  if (!text) return {};
  const auto amount = parse_amount(*text);
  if (amount && (amount->of == Counted::Tokens || amount->of == Counted::Samples)) return amount;
  throw InputError(
      {}, "--critical-batch",
      fmt::format("expected e.g. '20M tokens' or '512 samples', got '{}'", shortened(*text)));
}

JobEvaluation evaluation_of(const options::variables_map& values) {
  const auto every = amount_option(values, "evaluate-every");
  const auto takes = amount_option(values, "evaluate");
  if (every.has_value() != takes.has_value())
    throw InputError({}, every ? "--evaluate" : "--evaluate-every", "is needed as well");
  return every ? JobEvaluation{.every = every, .takes = *takes} : JobEvaluation{};
}

RunFile named_run(const options::variables_map& values, const CommonOptions& common,
                  const std::string& name) {
  for (const char* option : of_run_files)
    if (values.count(option) > 0)
      throw InputError({}, std::string("--") + option,
                       fmt::format("is what run {} says: leave it out", name));
  return find_run(common.configs, name);
}

}  // namespace

RunFile asked_run(const options::variables_map& values, const Model& model) {
  RunFile run;
  RunPhase& phase = run.phases.emplace_back();
  phase.model = model;
  phase.plan.name = "asked for";
  run.name = phase.model.name;
  const auto samples = samples_of(values, "samples", "tokens", phase.model);
  const auto batch = batch_of(values, phase.model);
  run.is_one_step = !samples;
  run.critical_batch = critical_batch_of(values);
  phase.stretches = {{.batch = 1, .samples = samples.value_or(1)}};
  const double of_step = batch ? *batch : asked_default_batch(values, run);
  run.has_default_batch = !batch;
  if (samples && *samples < of_step)
    throw InputError({}, "--tokens", "are fewer than those of one step");
  phase.stretches = {{.batch = of_step, .samples = samples.value_or(of_step)}};
  run.evaluation = evaluation_of(values);
  return run;
}

std::optional<double> large_number(const options::variables_map& values, const char* name) {
  const auto text = text_option(values, name);
  if (!text) return {};
  const auto count = parse_count(*text);
  if (count && *count > 0) return count;
  throw InputError({}, std::string("--") + name,
                   fmt::format("expected a number above 0 such as 2T, 200B, 4M or 1.4e12, got '{}'",
                               shortened(*text)));
}

void add_run_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  description.add_options()                                                        //
      ("tokens", text(), "to train, e.g. 2T, 200B, 1.4e12")                        //
      ("samples", text(), "to train, in place of tokens")                          //
      ("batch", text(), "global batch in samples (default: what trains soonest)")  //
      ("batch-tokens", text(), "global batch in tokens, e.g. 4M")                  //
      ("critical-batch", text(),
       "batch that doubles what a loss takes, e.g. '20M tokens' (default: by a law)")      //
      ("evaluate-every", text(), "from one evaluation to the next, e.g. '1000 steps'")     //
      ("evaluate", text(), "of one evaluation, e.g. '512 samples'")                        //
      ("start-up", text(), "until the first step (default: 5 min, assumed)")               //
      ("grid", text(), "g CO2e of a kWh (default: 480, the world's mean)")                 //
      ("prices", text(), "a list of prices (.yaml), which goes before those of clusters")  //
      ("stack", text()->default_value(std::string(default_stack)), stack_help);
  add_overrun_option(description);
  add_model_options(description);
  add_what_if_option(description);
  add_plan_options(description);
  add_expense_options(description);
}

void add_overrun_option(options::options_description& description) {
  description.add_options()("overrun", options::value<std::string>()->default_value("published"),
                            "overrun of whole runs: published (as those went) or none");
}

bool names_run(const std::filesystem::path& configs, const std::string& name_or_file) {
  if (is_file_name(name_or_file)) return is_run(YamlNode::load(name_or_file));
  const auto files = files_in(configs, "runs");
  return std::any_of(files.begin(), files.end(),
                     [&](const auto& file) { return file.stem() == name_or_file; });
}

std::string stack_name_of(const options::variables_map& values, const CommonOptions& common,
                          const std::string& subject) {
  std::optional<std::string> stack = stack_of_steps(values);
  if (!stack && values["stack"].defaulted() && names_run(common.configs, subject))
    stack = find_run(common.configs, subject).stack;
  if (const Launcher* launcher = emitted_launcher(values);
      launcher != nullptr && !stack && values["stack"].defaulted()) {
    stack = launcher->stack;
    say(fmt::format("--emit {}: --stack {}", launcher->name, *stack));
  }
  return stack.value_or(values["stack"].as<std::string>());
}

KernelProfile stack_of(const options::variables_map& values, const CommonOptions& common,
                       const std::string& subject) {
  return find_kernel_profile(common.configs, stack_name_of(values, common, subject));
}

void add_search_options(options::options_description& description, const char* default_space) {
  const auto text = [] { return options::value<std::string>(); };
  description.add_options()  //
      ("search", text()->default_value(default_space),
       "plans to choose from: usual (what stacks run by default) or all; cp leaves 2048 tokens or "
       "more")  //
      ("memory-margin", text(), "share of the memory that plans leave free, e.g. 5%");
}

PlanSpace plan_space_of(const options::variables_map& values) {
  return *choice_option(values, "search", plan_spaces);
}

std::optional<PriceList> price_list_of(const options::variables_map& values,
                                       const Library& library) {
  const auto file = text_option(values, "prices");
  if (!file) return {};
  if (values.count("price") > 0)
    throw InputError({}, "--prices", "says the same as --price: leave one out");
  return load_price_list(*file, library);
}

ExpenseOptions listed_expenses(ExpenseOptions options, const Cluster& cluster,
                               const std::optional<PriceList>& list) {
  const ListedPrices* listed = list ? list->of(cluster) : nullptr;
  if (listed != nullptr && options.term == PriceTerm::Spot && !options.time_to_preemption)
    options.time_to_preemption = listed->preemption_every;
  return options;
}

Cluster as_asked(const options::variables_map& values, Cluster cluster,
                 const std::optional<PriceList>& list) {
  if (list) cluster = priced(std::move(cluster), *list);
  cluster = with_asked_figures(values, std::move(cluster));
  const auto text = text_option(values, "memory-margin");
  if (!text) return cluster;
  const auto share = share_of(*text);
  if (!share || !(*share >= 0 && *share < 1))
    throw InputError(
        {}, "--memory-margin",
        fmt::format("expected a share from 0% to below 100%, such as 5% or 0.05, got '{}'",
                    shortened(*text)));
  cluster.accelerator.memory.value *= 1 - *share;
  return cluster;
}

RunFile run_of(const options::variables_map& values, const CommonOptions& common,
               const std::string& subject, const KernelProfile& stack) {
  RunFile run = names_run(common.configs, subject)
                    ? named_run(values, common, subject)
                    : asked_run(values, asked_model(values, common.configs, subject));
  for (RunPhase& phase : run.phases) {
    phase.model = as_run_by(stack.framework_defaults, phase.model);
    phase.plan = plan_of(values, common.configs, stack.framework_defaults, phase.plan);
  }
  if (const auto start_up = quantity_option<Seconds>(values, "start-up")) run.start_up = *start_up;
  if (const auto critical = critical_batch_of(values)) run.critical_batch = critical;
  return run;
}

std::optional<double> share_of(const std::string& text) {
  const bool is_percent = text.ends_with('%');
  double share = 0;
  if (!parse_number(is_percent ? text.substr(0, text.size() - 1) : text, share)) return {};
  return is_percent ? share / 100 : share;
}

Overrun overrun_of(const options::variables_map& values) {
  return *choice_option(values, "overrun", overruns);
}

double grid_of(const options::variables_map& values) {
  const auto text = text_option(values, "grid");
  if (!text) return default_grid_intensity;
  return at_key({}, "--grid", [&] { return grid_intensity_of(*text); });
}

}  // namespace app
}  // namespace tofn
