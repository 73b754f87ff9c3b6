#include <iostream>

#include <fmt/format.h>

#include "sim/answers/own_observations.hpp"
#include "sim/answers/published_data.hpp"
#include "sim/app/command.hpp"
#include "sim/calibration/own_steps.hpp"
#include "sim/config/load_step_profile.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/step_fit_report.hpp"

namespace tofn {
inline namespace app {
namespace {

constexpr int most_samples = 100'000'000;

StepHints hints_of(const options::variables_map& values) {
  return {.accelerators = count_option(values, "accelerators"),
          .global_batch = count_option(values, "batch", most_samples),
          .tensor_parallel_size = count_option(values, "tp"),
          .context_parallel_size = count_option(values, "cp"),
          .gradient_accumulation = count_option(values, "grad-accum"),
          .sequence_length = count_option(values, "sequence-length", most_samples)};
}

std::vector<MeasuredStep> read_steps(const options::variables_map& values) {
  const StepHints hints = hints_of(values);
  std::vector<MeasuredStep> rows;
  for (const std::string& file : values["steps"].as<std::vector<std::string>>()) {
    const StepReading reading = read_step_log(read_text_file(file), file, hints);
    for (const std::string& remark : reading.remarks) std::cerr << "tofn: " << remark << '\n';
    rows.insert(rows.end(), reading.steps.begin(), reading.steps.end());
  }
  return rows;
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

std::string needed(const options::variables_map& values, const char* option, const char* example) {
  if (const auto text = text_option(values, option)) return *text;
  throw InputError({}, fmt::format("--{}", option),
                   fmt::format("is needed with --steps, e.g. `--{} {}`", option, example));
}

}  // namespace

void add_step_options(options::options_description& description) {
  description.add_options()  //
      ("steps", options::value<std::vector<std::string>>()->multitoken(),
       "logs of training (MLLOG, Megatron-LM, NeMo, torchtitan and others) or tables (batch, "
       "accelerators, step_ms): makes a step profile")                                            //
      ("workload", options::value<std::string>(), "what was trained: a name, or a file (.yaml)")  //
      ("accelerators,N", options::value<std::string>(), "where the logs of steps do not say")     //
      ("batch", options::value<std::string>(), "global batch in samples; likewise")               //
      ("tp", options::value<std::string>(), "tensor parallel size; likewise")                     //
      ("cp", options::value<std::string>(), "context parallel size; likewise")                    //
      ("grad-accum", options::value<std::string>(), "accumulation steps; likewise")               //
      ("sequence-length", options::value<std::string>(), "tokens a sample; likewise")             //
      ("release", options::value<std::string>(), "software release YY.MM that ran the steps")     //
      ("precision", options::value<std::string>(), "of their GEMMs: bf16, fp8, ...")              //
      ("cuda-graphs", options::value<std::string>(),
       "of theirs: none, segmented, layer or full_iteration")  //
      ("fp8-attention", options::value<std::string>(), "of theirs: on or off");
}

std::filesystem::path profile_output(const CommonOptions& common) {
  if (common.output.extension() != ".yaml")
    throw InputError({}, "--output",
                     "calibrate needs the file to write, e.g. `-o my-machine.yaml`");
  return common.output;
}

int calibrate_steps(const options::variables_map& values, CommonOptions common) {
  const std::filesystem::path output = profile_output(common);
  if (values.count("file") > 0)
    throw InputError({}, "--steps", "and logs of collectives make two files: run calibrate twice");
  Library library = Library::load(common.configs);
  library.workload_or_file(needed(values, "workload", "bert"));
  library.cluster(needed(values, "cluster", "dgx-h100"));
  StepProfile profile{.name = text_option(values, "name").value_or(output.stem().string()),
                      .workload = *text_option(values, "workload"),
                      .cluster = *text_option(values, "cluster"),
                      .settings = settings_of(values),
                      .rows = read_steps(values)};
  const auto own = own_observations({}, profile, library);
  Resolver resolver(library);
  const auto published = calibration_observations(shipped_rows(common.configs, resolver));
  check_utilisation(own, published);
  const Calibration calibration(with_own_steps(published, own));
  const OwnFit fit{.profile = &profile, .own = own, .calibration = &calibration};
  write_text_file_atomically(output, to_yaml(profile, output.parent_path()));
  common.output.clear();  // the profile took it; the answer goes to standard output
  const std::string written = fmt::format("{}: {} {} written\n", output.string(), own.size(),
                                          own.size() == 1 ? "row" : "rows");
  write_answer(common, step_fit_text(fit) + written, step_fit_records(fit));
  return 0;
}

}  // namespace app
}  // namespace tofn
