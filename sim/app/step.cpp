#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/step_cases_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/subject.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/named_file.hpp"
#include "sim/config/yaml_reader.hpp"
#include "sim/core/names.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/step_cases_report.hpp"

namespace tofn {
inline namespace app {
namespace {

CommandLine step_of_model_command_line() {
  CommandLine line{
      .usage =
          "step MODEL CLUSTER --batch B [OPTIONS], or step WORKLOAD CLUSTER (`tofn step bert "
          "--help`), or step --from FILE CLUSTER, or step --cases FILE.csv, or "
          "step --record FILE.json",
      .examples = "",
      .description = options::options_description("Options of step"),
      .positional = {}};
  static const std::string examples = fmt::format(
      "  tofn step llama3-8b dgx-h100 -N 8..512 --replica-batch 8 --sharded parameters\n"
      "  tofn step gpt3-175b dgx-a100 -N 64 --batch 64 --plan gpt3-175b-megatron --trace "
      "step.json\n"
      "  tofn step llama3-70b dgx-h100 -N 64 --batch 64 --plan llama3-70b-64 --explain "
      "dgx-b200\n"
      "  tofn step llama3-70b dgx-h100 -N 64 --batch 64 --plan llama3-70b-64 --slow-node 1.2 "
      "--slow-stage 4\n"
      "  tofn step llama3-70b dgx-h100 -N 64 --batch 64 --plan llama3-70b-64 --mixed-with "
      "dgx-a100:4 --other-stages 3..4\n"
      "  tofn step llama3-8b dgx-h100 --check train.log --stack torchtitan\n"
      "  tofn step --from run.sh dgx-h100\n"
      "  tofn step llama3-8b dgx-h100 -N 64 --batch 256 --emit megatron-lm -o run.sh\n"
      "  tofn step --cases configs/measured/megatron-a100.csv --leave-one-out model\n"
      "  tofn step --record one.json --calibration two-ranks.yaml -N 2 --measured two.json\n\n"
      "Tables of measured steps (--cases). {}",
      step_case_defaults());
  line.examples = examples;
  add_simulation_options(line.description);
  line.description.add_options()  //
      ("stack", options::value<std::string>()->default_value(std::string(default_stack)),
       stack_help)                                                           //
      ("cases", options::value<std::string>(), "table of steps, one a row")  //
      ("leave-one-out", options::value<std::string>(),
       "refit the efficiency of products without the rows of each value of this column");
  add_check_option(line.description);
  add_record_options(line.description);
  line.positional.add("model", 1).add("cluster", 1);
  return line;
}

Column<StepCaseRow> column_named(const std::string& name) {
  std::vector<std::string> valid;
  for (const auto& column : step_case_columns()) {
    if (column.name == name) return column;
    valid.push_back(column.name);
  }
  throw InputError({}, "--leave-one-out", unknown_name("column", name, valid));
}

CommandAnswer run_cases(const options::variables_map& values, const CommonOptions& common) {
  refuse_idle_options(values, steps_of_table);
  const std::string name = text_option(values, "leave-one-out").value_or("");
  std::optional<Column<StepCaseRow>> left_out;
  if (!name.empty()) left_out = column_named(name);
  const Library library = Library::load(common.configs);
  const KernelProfile profile =
      find_kernel_profile(common.configs, values["stack"].as<std::string>());
  std::vector<std::string> notes;
  StepCaseTable table = read_step_cases(values["cases"].as<std::string>(), library, &notes);
  for (const std::string& note : notes) say(note);
  std::vector<PredictedCase> cases = predict_cases(table, profile);
  double efficiency = profile.gemm_efficiency;
  for (const RefusedStep& refused : table.refused) say(refused.mistake.what());
  if (left_out) efficiency = leave_one_out(cases, profile, *left_out);
  return {.text = case_text(cases, efficiency, name),
          .records = case_records(cases),
          .exit_code = table.refused.empty() ? 0 : 2};
}

}  // namespace

CommandLine step_command_line(const std::vector<std::string>& words) {
  // The first word beside launch files is a cluster.
  const bool has_files = std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "--from" || word.starts_with("--from=");
  });
  const Subject subject = has_files ? Subject{} : subject_of(words);
  return subject.is_workload && !subject.is_model ? step_of_workload_command_line()
                                                  : step_of_model_command_line();
}

CommandAnswer run_step(const options::variables_map& values) {
  // The one of a workload alone has a job.
  if (values.count("job") > 0) return step_of_workload(values);
  const CommonOptions common = read_common(values);
  if (values.count("record") > 0) return step_from_records(values, common);
  if (values.count("check") > 0) return check_step(values, common);
  for (const auto& [option, needed] :
       {std::pair{"collectives", "check"}, {"measured", "record"}, {"leave-one-out", "cases"}})
    if (values.count(option) > 0 && values.count(needed) == 0)
      throw InputError({}, fmt::format("--{}", option),
                       fmt::format("changes nothing without --{}", needed));
  return values.count("cases") > 0 ? run_cases(values, common) : simulate_model(values, common);
}

}  // namespace app
}  // namespace tofn
