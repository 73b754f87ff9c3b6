#include <algorithm>
#include <cmath>
#include <iostream>

#include <fmt/format.h>

#include "sim/answers/job_answer.hpp"
#include "sim/answers/measured_cluster.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_options.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/job_report.hpp"
#include "sim/simulation/stack_habits.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr const char* examples =
    "  tofn predict llama3-70b dgx-h100 -N 256 --tokens 2T\n"
    "  tofn predict llama3-405b dgx-h100 -N 16384 --tokens 15.6T --batch-tokens 16M --tp 8 --pp "
    "16\n"
    "  tofn predict mixtral-8x7b dgx-b200 -N 64..1024 --tokens 1T --price 3.5\n"
    "  tofn predict llama3-8b dgx-h100 -N 64 --tokens 200B --plan fsdp --format json\n\n"
    "What of the plan is not stated is chosen: the shortest step that fits the memory.\n";

CommandLine command_line() {
  CommandLine line{.usage = "predict MODEL CLUSTER -N N --tokens T [OPTIONS]",
                   .examples = examples,
                   .description = options::options_description("Options"),
                   .positional = {}};
  const auto text = [] { return options::value<std::string>(); };
  line.description.add_options()                                                          //
      ("model", text(), "a name of `tofn list models`, or a file (.yaml, config.json)")   //
      ("cluster", text(), "a name of `tofn list clusters`, or a file (.yaml)")            //
      ("accelerators,N", text(), "e.g. 256, or 64,512, or 64..1024 (default: one node)")  //
      ("tokens", text(), "to train, e.g. 2T, 200B, 1.4e12 (default: one step)")           //
      ("samples", text(), "to train, instead of tokens")                                  //
      ("batch", text(), "global batch in samples (default: about 4M tokens)")             //
      ("batch-tokens", text(), "global batch in tokens, e.g. 4M")                         //
      ("evaluate-every", text(), "samples trained from one evaluation to the next")       //
      ("evaluate", text(), "samples of one evaluation")                                   //
      ("start-up", text(), "until the first step (default: 5 min, assumed)")              //
      ("grid", text(), "g CO2e of a kWh (default: 480, the world's mean)")                //
      ("calibration", text(), "measured collectives: a name of configs/calibrations, or a file");
  add_model_options(line.description);
  add_stack_options(line.description);
  add_plan_options(line.description);
  add_expense_options(line.description);
  line.positional.add("model", 1).add("cluster", 1);
  return line;
}

std::string needed(const options::variables_map& values, const char* name) {
  if (const auto text = text_option(values, name)) return *text;
  throw InputError({}, name,
                   "is needed, e.g. `tofn predict llama3-70b dgx-h100 -N 256 --tokens 2T`");
}

/// A number above 0 as people write large ones.
std::optional<double> large_number(const options::variables_map& values, const char* name) {
  const auto text = text_option(values, name);
  if (!text) return {};
  const auto count = parse_count(*text);
  if (count && *count > 0) return count;
  throw InputError({}, std::string("--") + name,
                   fmt::format("expected a number above 0 such as 2T, 200B, 4M or 1.4e12, got '{}'",
                               shortened(*text)));
}

/// Samples of an option, or of its twin that counts tokens.
std::optional<double> samples_of(const options::variables_map& values, const char* in_samples,
                                 const char* in_tokens, const Model& model) {
  const auto samples = large_number(values, in_samples);
  const auto tokens = large_number(values, in_tokens);
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
    std::cerr << fmt::format("tofn: --batch-tokens {} is taken as {:g} samples, {} tokens\n",
                             *text_option(values, "batch-tokens"), samples, count_text(taken, 4));
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

JobEvaluation evaluation_of(const options::variables_map& values) {
  const auto every = large_number(values, "evaluate-every");
  const auto samples = large_number(values, "evaluate");
  if (every.has_value() != samples.has_value())
    throw InputError({}, every ? "--evaluate" : "--evaluate-every", "is needed as well");
  return every ? JobEvaluation{.every = *every, .samples = *samples} : JobEvaluation{};
}

std::function<bool(std::string_view)> stated_options(const options::variables_map& values) {
  return [&values](std::string_view name) {
    std::string option(name);
    if (option == "gradient_accumulation") option = "grad-accum";
    std::replace(option.begin(), option.end(), '_', '-');
    return values.count(option) > 0;
  };
}

bool is_above_batch(const JobAnswer& answer, const JobRequest& asked) {
  return asked.samples && *asked.samples < answer.batch;
}

}  // namespace

int run_predict_model(const std::vector<std::string>& words) {
  const auto parsed = parse(command_line(), words);
  if (!parsed) return 0;
  const options::variables_map& values = *parsed;
  const CommonOptions common = read_common(values);
  const KernelProfile stack = stack_of(values, common.configs);
  const Model model =
      as_run_by(stack.habits, asked_model(values, common.configs, needed(values, "model")));
  Library library = Library::load(common.configs);
  const std::string cluster_name = needed(values, "cluster");
  Cluster cluster = library.cluster(cluster_name);
  if (const auto calibration = text_option(values, "calibration"))
    cluster = measured_cluster(cluster, library, common.configs, *calibration);
  const auto asked_sizes = text_option(values, "accelerators");
  const std::vector<int> sizes = asked_sizes
                                     ? counts_of(*asked_sizes, "-N")
                                     : std::vector<int>{cluster.accelerators_per_node.value};
  const PlanFile plan = plan_of(values, common.configs, stack.habits);
  const auto batch = batch_of(values, model);
  if (values.count("observed") > 0 && !plan.micro_batch && !plan.gradient_accumulation)
    throw InputError({}, "--observed",
                     "needs the plan that ran: --plan, or --micro-batch and --tp, --pp, ...");
  const KernelProfile profile =
      with_measured_steps(values, common.configs, library, stack, model, cluster, plan,
                          batch.value_or(0) / sizes.front());
  const JobRequest asked{
      .model = model,
      .cluster = cluster,
      .profile = profile,
      .plan = plan,
      .is_stated = stated_options(values),
      .sizes = sizes,
      .samples = samples_of(values, "samples", "tokens", model),
      .batch = batch,
      .evaluation = evaluation_of(values),
      .start_up = quantity_option<Seconds>(values, "start-up").value_or(usual_start_up),
      .expenses = read_expense_options(values),
      .grid_intensity = large_number(values, "grid").value_or(usual_grid_intensity)};
  choose_price(cluster, asked.expenses);  // a term without a price is no matter of one N
  const JobAnswer answer = job_answer(asked);
  if (is_above_batch(answer, asked))
    throw InputError({}, "--tokens", "are fewer than those of one step");
  write_answer(common, job_text(asked, answer), job_records(asked, answer));
  const bool all_fit = std::all_of(answer.points.begin(), answer.points.end(),
                                   [](const JobPoint& point) { return point.fits; });
  return all_fit ? 0 : 1;
}

}  // namespace app
}  // namespace tofn
