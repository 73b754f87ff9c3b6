#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/model_steps_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/job_options.hpp"
#include "sim/app/model_log.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/csv.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/core/words.hpp"
#include "sim/report/model_steps_report.hpp"

namespace tofn {
inline namespace app {
namespace {

std::vector<MeasuredStep> rows_of_log(const std::string& file, const options::variables_map& given,
                                      const CommonOptions& common, const OwnSubject& subject) {
  StatedPlan plan{.name = "asked for"};
  auto rows = read_model_log(file, given, common, subject.model, subject.stack, plan);
  for (MeasuredStep& row : rows) {
    StatedPlan own = with_sizes_of(row, plan);
    if (!own.micro_batch) own.gradient_accumulation = row.gradient_accumulation;
    row.plan = plan_on(own, row.accelerators, row.global_batch);
  }
  return rows;
}

/// True if the file is a table like those in configs/measured, whose rows have dimensions and
/// plans.
bool states_dimensions(const std::string& file) {
  return file_ending(file) == ".csv" && CsvTable::read(file).has_column("hidden");
}

/// Names of the plan's fields that options state, e.g. `sequence_parallel`.
std::vector<std::string> stated_fields(const options::variables_map& values) {
  std::vector<std::string> fields;
  for (const CommandOption& row : plan_rows()) {
    if (!row.option->is_given(values)) continue;
    std::string& field = fields.emplace_back(row.option->name);
    std::replace(field.begin(), field.end(), '-', '_');
  }
  return fields;
}

std::vector<MeasuredStep> read_rows(const options::variables_map& values,
                                    const CommonOptions& common, const OwnSubject& subject,
                                    const Library& library, bool& all_read) {
  std::vector<MeasuredStep> rows;
  const auto stated = stated_fields(values);
  const auto files = option::logs_of_steps.of(values);
  for (const std::string& file : files) {
    if (!states_dimensions(file)) try {
        const auto read = rows_of_log(file, values, common, subject);
        rows.insert(rows.end(), read.begin(), read.end());
        continue;
      } catch (const InputError& error) {
        if (files.size() == 1) throw;
        all_read = false;
        say(error.what());
        continue;
      }
    const StatedPlan request = plan_of(values, common.configs, subject.stack.framework_defaults);
    const auto is_stated = [&](std::string_view field) {
      return std::ranges::find(stated, field) != stated.end();
    };
    Plan split = request.split;
    if (request.micro_batch) split.micro_batch = *request.micro_batch;
    if (request.gradient_accumulation) split.gradient_accumulation = *request.gradient_accumulation;
    std::vector<std::string> left_out;
    const auto read =
        rows_of_table(file, subject, split, is_stated, common.configs, library, left_out);
    for (const std::string& why : left_out) say(fmt::format("{}: left out {}", file, why));
    rows.insert(rows.end(), read.begin(), read.end());
  }
  if (rows.empty()) throw InputError("no step was read; nothing is written");
  return rows;
}

std::string needed(const options::variables_map& values, const option::Text& option,
                   const char* example) {
  if (const auto text = option.of(values)) return *text;
  throw InputError({}, option.flag(),
                   fmt::format("is needed with --model, e.g. `{} {}`", option.flag(), example));
}

/// Tokens per sample by the option, otherwise by the first log that states them.
std::optional<int> sequence_length(const options::variables_map& values) {
  options::variables_map all = values;
  for (const std::string& file : option::logs_of_steps.of(values))
    if (!states_dimensions(file)) all = with_sequence_length(std::move(all), file);
  return option::sequence_length.of(all);
}

}  // namespace

CommandAnswer calibrate_model_steps(const options::variables_map& values,
                                    const CommonOptions& common) {
  const std::filesystem::path output = profile_output(common);
  refuse_idle_options(values, calibrate_rows(), model_steps);
  const std::string cluster = needed(values, option::cluster, "dgx-h100");
  const std::string stack = needed(values, option::stack, "megatron-core");
  ModelSteps steps{.name = option::name.of(values).value_or(output.stem().string()),
                   .model = option::model.value(values),
                   .sequence_length = sequence_length(values),
                   .fine_tuning = fine_tuning_of(values),
                   .cluster = cluster,
                   .stack = stack};
  Library library = Library::load(common.configs);
  const OwnSubject subject = subject_of({}, steps, common.configs, library);
  bool all_read = true;
  steps.rows = read_rows(values, common, subject, library, all_read);
  for (const std::string& remark : contradictions(steps.rows)) say(remark);
  const LearnedSteps learned = learned_steps(steps, subject);
  write_text_file_atomically(output, to_yaml(steps, output.parent_path()));
  return written_profile(model_steps_text(learned), model_steps_records(learned), output,
                         counted(steps.rows.size(), "row"), all_read);
}

}  // namespace app
}  // namespace tofn
