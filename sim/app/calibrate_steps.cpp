#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/calibration/own_steps.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/evidence/own_observations.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/step_fit_report.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr int most_samples = 100'000'000;

StepHints step_hints_of(const options::variables_map& values) {
  return {.accelerators = count_option(values, "accelerators"),
          .global_batch = count_option(values, "batch", most_samples),
          .tensor_parallel_size = count_option(values, "tp"),
          .context_parallel_size = count_option(values, "cp"),
          .gradient_accumulation = count_option(values, "grad-accum"),
          .sequence_length = sequence_length_option(values),
          .regime = choice_option(values, "regime", regimes_taken).value_or(RegimeTaken::Longest)};
}

/// The steps of all logs; what a log says amiss goes to standard error where others were read, and
/// `all_read` becomes false.
std::vector<MeasuredStep> read_steps(const options::variables_map& values, bool& all_read) {
  const StepHints hints = step_hints_of(values);
  std::vector<MeasuredStep> rows;
  const auto files = values["steps"].as<std::vector<std::string>>();
  for (const std::string& file : files) try {
      const StepReading reading = read_step_log(read_text_file(file), file, hints);
      for (const std::string& remark : reading.remarks) say(remark);
      rows.insert(rows.end(), reading.steps.begin(), reading.steps.end());
    } catch (const InputError& error) {
      if (files.size() == 1) throw;
      all_read = false;
      say(error.what());
    }
  if (rows.empty()) throw InputError("no step was read; nothing is written");
  return rows;
}

/// InputError that asks at once for all that is needed beside the logs.
void check_needed(const options::variables_map& values, const std::string& benchmark) {
  std::string missing;
  const auto ask = [&](const char* option, const std::string& example) {
    if (!text_option(values, option))
      missing += fmt::format("{}--{} {}", missing.empty() ? "" : " ", option, example);
  };
  ask("workload", benchmark.empty() ? "bert" : benchmark);
  ask("cluster", "dgx-h100");
  if (!missing.empty())
    throw InputError({}, "--steps", fmt::format("also needs, e.g., `{}`", missing));
}

RunSettings settings_of(const options::variables_map& values) {
  RunSettings settings;
  if (const auto release = text_option(values, "release")) {
    if (!months_between(*release, *release))
      throw InputError({}, "--release", "expected YY.MM, e.g. 24.09, got '" + *release + "'");
    settings.software_release = *release;
  }
  settings.precision = choice_option(values, "precision", precision_names);
  settings.cuda_graphs = choice_option(values, "cuda-graphs", cuda_graph_names);
  settings.fp8_attention = switch_option(values, "fp8-attention");
  return settings;
}

}  // namespace

void add_step_options(options::options_description& description) {
  description.add_options()  //
      ("steps", options::value<std::vector<std::string>>()->multitoken(),
       "logs of training (MLLOG, Megatron-LM, NeMo, torchtitan and others) or tables (batch, "
       "accelerators, step_ms; or as configs/measured): makes a step profile")  //
      ("workload", options::value<std::string>(),
       "what was trained: a name of `tofn list workloads`, or a file (.yaml)")  //
      ("model", options::value<std::string>(),
       "or which model, under any plan: a name of `tofn list models`, or a file")  //
      ("stack", options::value<std::string>(),
       "that ran the model: a name of `tofn list stacks`")  //
      ("accelerators,N", options::value<std::string>(),
       "where the logs of steps do not state them")  //
      ("batch", options::value<std::string>(),
       "global batch in samples, where the logs of steps do not state it")  //
      ("regime", options::value<std::string>(),
       "first, last or longest: which part of a log is taken whose steps turned from one time to "
       "another (default: the longest)")  //
      ("release", options::value<std::string>(), "software release YY.MM that ran the workload");
  add_model_options(description);
  add_plan_options(description);
}

std::filesystem::path profile_output(const CommonOptions& common) {
  if (common.output.extension() != ".yaml")
    throw InputError({}, "--output",
                     "calibrate needs the file to write, e.g. `-o my-machine.yaml`");
  return common.output;
}

CommandAnswer calibrate_steps(const options::variables_map& values, const CommonOptions& common) {
  const std::filesystem::path output = profile_output(common);
  if (values.count("file") > 0)
    throw InputError({}, "--steps", "and logs of collectives make two files: run calibrate twice");
  if (values.count("model") > 0) return calibrate_model_steps(values, common);
  refuse_idle_options(values, workload_steps);
  Shipped shipped(common.configs);
  Library& library = shipped.library();
  bool all_read = true;
  const std::vector<MeasuredStep> rows = read_steps(values, all_read);
  check_needed(values, rows.front().model.benchmark);
  library.workload_or_file(*text_option(values, "workload"));
  library.cluster(*text_option(values, "cluster"));
  StepProfile profile{.name = text_option(values, "name").value_or(output.stem().string()),
                      .workload = *text_option(values, "workload"),
                      .cluster = *text_option(values, "cluster"),
                      .settings = settings_of(values),
                      .rows = rows};
  const auto own = own_observations({}, profile, library);
  check_utilisation(own, shipped.observations());
  const Calibration calibration(with_own_steps(shipped.observations(), own));
  check_efficiency(calibration);
  const OwnFit fit{.profile = &profile, .own = own, .calibration = &calibration};
  write_text_file_atomically(output, to_yaml(profile, output.parent_path()));
  const std::string written = fmt::format("{}: {} {} written\n", output.string(), own.size(),
                                          own.size() == 1 ? "row" : "rows");
  return {.text = step_fit_text(fit) + written,
          .records = step_fit_records(fit),
          .exit_code = all_read ? 0 : 2,
          .output_is_taken = true};
}

}  // namespace app
}  // namespace tofn
