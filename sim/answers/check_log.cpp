#include "sim/answers/check_log.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/collective_logs/collective_log.hpp"
#include "sim/formats/step_logs/step_log.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Returns text such as `, llama2_70b_lora` or `, 64 layers of 8192`; empty if the log does not
/// state it.
std::string model_text(const LoggedModel& model) {
  if (!model.benchmark.empty()) return ", " + model.benchmark;
  if (model.layers && model.hidden_size)
    return fmt::format(", {} layers of {}", *model.layers, *model.hidden_size);
  return {};
}

std::string sizes_text(const StepSurvey& run) {
  std::string text;
  const auto add = [&](std::string_view what, const auto& value) {
    if (value) text += fmt::format(", {} {:g}", what, static_cast<double>(*value));
  };
  add("N", run.accelerators);
  add("batch", run.global_batch);
  add("tp", run.tensor_parallel_size);
  add("pp", run.pipeline_parallel_size);
  add("cp", run.context_parallel_size);
  return text;
}

/// Returns text such as `; 136.7 s a step (44 steps), N 64, batch 1024, tp 4, pp 16, 64 layers of
/// 8192`.
std::string run_text(const StepSurvey& run) {
  const std::string step = run.step ? fmt::format("{} a step ({:g} step{})", to_text(*run.step, 4),
                                                  run.steps, run.steps == 1 ? "" : "s")
                                    : "no time of a step";
  return "; " + step + sizes_text(run) + model_text(run.model);
}

FileContent step_content(std::string_view text, const std::string& file) {
  const StepLogSurvey survey = survey_step_log(text, file);
  FileContent content{.kind = "log of steps", .summary = {}, .notes = survey.remarks};
  for (const StepSurvey& run : survey.runs) {
    content.summary += run_text(run);
    if (!run.unknown.empty()) content.notes.push_back(file + ": " + run.unknown);
  }
  content.summary = ", " + survey.runs.front().format + content.summary;
  return content;
}

FileContent collective_content(std::string_view text, const std::string& file) {
  const LogReading reading = read_collective_log(text, file, {.leaves_open = true});
  FileContent content{.kind = "log of collectives", .summary = {}, .notes = reading.remarks};
  for (const CollectiveTable& table : reading.tables)
    content.summary +=
        fmt::format("; {} over {} on {}, {}", name_in(collective_kinds, table.collective),
                    counted(table.ranks, "rank"), counted(table.nodes, "node"),
                    counted(table.rows.size(), "row"));
  if (!reading.open.empty())
    content.summary += "; " + counted(reading.open.size(), "table") + " of an unknown placement";
  for (const OpenTable& open : reading.open)
    content.notes.push_back(open.question + " to `tofn collective --check`");
  return content;
}

}  // namespace

std::string log_words(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return {};
  const std::string text = read_text_file(path);
  if (is_step_log(text))
    return "is a log of steps, which `tofn check`, `tofn step --check`, `tofn calibrate --steps` "
           "and `tofn watch` read";
  return losses_without_times(text);
}

FileContent check_log(const std::filesystem::path& path) {
  const std::string text = read_text_file(path);
  if (is_step_log(text)) return step_content(text, path.string());
  if (const std::string lacks = losses_without_times(text); !lacks.empty())
    throw InputError({path.string(), 1, 1}, "", lacks);
  if (is_collective_log(text)) return collective_content(text, path.string());
  throw InputError({path.string()}, "",
                   "is no file of tofn, no config.json and no log in a known format");
}

}  // namespace answers
}  // namespace tofn
