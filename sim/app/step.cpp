#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/step_cases_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/run_limits.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/subject.hpp"
#include "sim/config/library.hpp"
#include "sim/core/row_named.hpp"
#include "sim/report/step_cases_report.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace app {
namespace {

Column<StepCaseRow> column_named(const std::string& name, const std::string& flag) {
  return row_named(step_case_columns(), "column", name, {}, flag);
}

}  // namespace

namespace option {

constexpr Text cases{{.name = "cases", .help = "table of steps, one a row", .is_for_pages = false}};
constexpr OptionOf<Column<StepCaseRow>> leave_one_out{
    {"leave-one-out",
     "refit the efficiency of products without the rows of each value of this column"},
    column_named};

}  // namespace option

namespace {

CommandOptions step_rows() {
  constexpr Jobs simulated = every_job & ~steps_of_records;
  constexpr Jobs of_cases = simulated & ~step_checked;
  return joined({simulation_rows(),
                 {{.option = &option::stack, .acts_on = simulated, .default_text = default_stack},
                  {&option::cases, of_cases},
                  {&option::leave_one_out, of_cases}},
                 check_rows(),
                 record_rows()});
}

/// Options of whole runs, which a step of a model refuses.
CommandOptions whole_run_rows() {
  CommandOptions rows = joined({limit_rows(), run_rows()});
  const CommandOptions own = joined({step_rows(), common_rows()});
  const auto name = [](const CommandOption& row) { return row.option->name; };
  std::erase_if(rows, [&](const CommandOption& row) {
    return std::ranges::find(own, name(row), name) != own.end();
  });
  return rows;
}

CommandLine step_of_model_command_line() {
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
      "  tofn step --from run.sh dgx-h100 --check train.log\n"
      "  tofn step llama3-8b dgx-h100 -N 64 --batch 256 --emit megatron-lm -o run.sh\n"
      "  tofn step --cases configs/measured/megatron-a100.csv --leave-one-out model\n"
      "  tofn step --record one.json --calibration two-ranks.yaml -N 2 --measured two.json\n\n"
      "Tables of measured steps (--cases). {}",
      step_case_defaults());
  return {
      "step MODEL CLUSTER --batch B [OPTIONS], or step WORKLOAD CLUSTER (`tofn step bert "
      "--help`), or step --from FILE CLUSTER, or step --cases FILE.csv, or "
      "step --record FILE.json",
      examples, step_rows(), "Options of step", whole_run_rows()};
}

CommandAnswer run_cases(const options::variables_map& values, const CommonOptions& common) {
  refuse_idle_options(values, step_rows(), steps_of_table);
  const std::string name = option::leave_one_out.text(values).value_or("");
  std::optional<Column<StepCaseRow>> left_out;
  if (!name.empty()) left_out = option::leave_one_out.of(values);
  const Library library = Library::load(common.configs);
  const KernelProfile profile = found_stack(values, common.configs, option::stack.value(values));
  std::vector<std::string> notes;
  StepCaseTable table = read_step_cases(option::cases.value(values), library, &notes);
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
  // With launch files, the first word is a cluster or a model, and never a workload.
  const bool has_files = std::ranges::any_of(words, [](const std::string& word) {
    return word == option::launch_files.flag() ||
           word.starts_with(option::launch_files.flag() + '=');
  });
  const Subject subject = has_files ? Subject{} : subject_of(words);
  return subject.is_workload && !subject.is_model ? step_of_workload_command_line()
                                                  : step_of_model_command_line();
}

CommandAnswer run_step(const options::variables_map& values) {
  // Only the command line of a workload has the option `job`.
  if (option::job.is_given(values)) return step_of_workload(values);
  refuse_of_whole_runs(values, whole_run_rows());
  const CommonOptions common = read_common(values);
  if (option::record.is_given(values)) {
    refuse_idle_options(values, step_rows(), steps_of_records);
    return step_from_records(values, common);
  }
  if (option::step_log.is_given(values)) {
    refuse_idle_options(values, step_rows(), step_checked);
    return check_step(values, common);
  }
  for (const auto& [option, needed] :
       {std::pair<const AnyOption*, const AnyOption*>{&option::collectives, &option::step_log},
        {&option::measured, &option::record},
        {&option::leave_one_out, &option::cases}})
    if (option->is_given(values) && !needed->is_given(values))
      throw InputError({}, option->flag(), "changes nothing without " + needed->flag());
  return option::cases.is_given(values) ? run_cases(values, common)
                                        : simulate_model(values, common);
}

}  // namespace app
}  // namespace tofn
