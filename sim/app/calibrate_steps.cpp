#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/plan_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/calibration/own_steps.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/words.hpp"
#include "sim/evidence/own_observations.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/step_fit_report.hpp"

namespace tofn {
inline namespace app {
namespace {

StepHints step_hints_of(const options::variables_map& values) {
  return {.accelerators = option::accelerators.as(values, whole<>),
          .global_batch = option::batch.of(values),
          .tensor_parallel_size = plan_option(&Plan::tensor_parallel_size).of(values),
          .context_parallel_size = plan_option(&Plan::context_parallel_size).of(values),
          .gradient_accumulation = option::gradient_accumulation.of(values),
          .sequence_length = option::sequence_length.of(values),
          .regime = option::regime.of(values).value_or(RegimeTaken::Longest)};
}

/// Reads the steps of all logs. A log that cannot be read is reported on standard error if there
/// are others, and `all_read` becomes false. InputError if no step could be read.
std::vector<MeasuredStep> read_steps(const options::variables_map& values, bool& all_read) {
  const StepHints hints = step_hints_of(values);
  std::vector<MeasuredStep> rows;
  const auto files = option::logs_of_steps.of(values);
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

/// Throws an InputError that lists all missing options, if any is needed beside the logs.
void check_needed(const options::variables_map& values, const std::string& benchmark) {
  std::string missing;
  const auto ask = [&](const AnyOption& option, const std::string& example) {
    if (!option.is_given(values))
      missing += fmt::format("{}{} {}", missing.empty() ? "" : " ", option.flag(), example);
  };
  ask(option::workload, benchmark.empty() ? "bert" : benchmark);
  ask(option::cluster, "dgx-h100");
  if (!missing.empty())
    throw InputError({}, option::logs_of_steps.flag(),
                     fmt::format("also needs, e.g., `{}`", missing));
}

}  // namespace

CommandOptions step_log_rows() {
  constexpr Jobs both = workload_steps | model_steps;
  return joined(
      {{{&option::logs_of_steps, both},
        {&option::workload, workload_steps},
        {&option::model, model_steps,
         "model that was trained in place of a workload, under any plan: a name of `tofn list "
         "models`, or a file"},
        {&option::stack, model_steps, "stack that ran the model: a name of `tofn list stacks`"},
        {&option::accelerators, both, "accelerators, if the logs do not state them"},
        {&option::batch, both, "global batch in samples, where the logs of steps do not state it"},
        {&option::regime, both},
        {&option::release, workload_steps, "software release YY.MM that ran the workload"}},
       model_rows(),
       plan_rows()});
}

std::filesystem::path profile_output(const CommonOptions& common) {
  if (common.output.empty())
    throw InputError({}, option::output.flag(),
                     "calibrate needs the file to write, e.g. `-o my-machine.yaml`");
  if (common.output.extension() != ".yaml")
    throw InputError({}, option::output.flag(),
                     fmt::format("{}: the name must end in .yaml", common.output.string()));
  return common.output;
}

CommandAnswer calibrate_steps(const options::variables_map& values, const CommonOptions& common) {
  const std::filesystem::path output = profile_output(common);
  if (option::files.is_given(values))
    throw InputError({}, option::logs_of_steps.flag(),
                     "and logs of collectives make two files: run calibrate twice");
  if (option::model.is_given(values)) return calibrate_model_steps(values, common);
  refuse_idle_options(values, calibrate_rows(), workload_steps);
  Shipped shipped(common.configs);
  Library& library = shipped.library();
  bool all_read = true;
  const std::vector<MeasuredStep> rows = read_steps(values, all_read);
  check_needed(values, rows.front().model.benchmark);
  library.workload_or_file(option::workload.value(values));
  library.cluster(option::cluster.value(values));
  StepProfile profile{.name = option::name.of(values).value_or(output.stem().string()),
                      .workload = option::workload.value(values),
                      .cluster = option::cluster.value(values),
                      .settings = {},
                      .rows = rows};
  read_settings(values, profile.settings);
  const auto own = own_observations({}, profile, library);
  check_utilisation(own, shipped.observations());
  const Calibration calibration(with_own_steps(shipped.observations(), own));
  check_efficiency(calibration);
  const OwnFit fit{.profile = &profile, .own = own, .calibration = &calibration};
  write_text_file_atomically(output, to_yaml(profile, output.parent_path()));
  return written_profile(step_fit_text(fit), step_fit_records(fit), output,
                         counted(own.size(), "row"), all_read);
}

}  // namespace app
}  // namespace tofn
