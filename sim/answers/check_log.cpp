#include "sim/answers/check_log.hpp"

#include <algorithm>
#include <fstream>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/blocks/nsys_sqlite.hpp"
#include "sim/config/load_record.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/core/statistics.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/collective_logs/collective_log.hpp"
#include "sim/formats/launchers/launch_stack.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
#include "sim/formats/step_logs/kernel_trace.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "sim/formats/text/json_rows.hpp"

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
  const LogReading reading = read_collective_log(text, file);
  FileContent content{.kind = "log of collectives", .summary = {}, .notes = reading.remarks};
  for (const CollectiveTable& table : reading.tables)
    content.summary +=
        fmt::format("; {} over {} on {}, {}", name_in(collective_kinds, table.collective),
                    counted(table.ranks, "rank"), counted(table.nodes, "node"),
                    counted(table.rows.size(), "row"));
  return content;
}

/// Notes on a JSON file that only lenient readers take. DeepSpeed reads Hjson
/// (deepspeed/runtime/config.py), which allows a comma too many and comments; accelerate and
/// Hugging Face's Trainer read JSON (accelerate/utils/deepspeed.py).
std::vector<std::string> json_notes(const std::filesystem::path& file) {
  if (file.extension() != ".json") return {};
  const auto fault = json_fault(read_text_file(file), file.string());
  if (!fault) return {};
  return {InputError(*fault, {},
                     "is not JSON here: DeepSpeed's own reader takes it, accelerate and Hugging "
                     "Face's Trainer refuse it")
              .what()};
}

/// True if every point of this kind has the parameter with this value, so that it says nothing.
bool is_common(const Record& record, std::string_view kind,
               const std::pair<std::string, RecordValue>& wanted) {
  return std::ranges::all_of(record.points, [&](const RecordPoint& each) {
    const RecordValue* value = parameter(each, wanted.first);
    return each.kind != kind || (value != nullptr && *value == wanted.second);
  });
}

/// Returns text such as `collective, size_bytes=1024: bimodal: ...; unfinished`.
std::string flags_note(const Record& record, const RecordPoint& point) {
  std::string what = point.kind;
  for (const auto& each : point.parameters) {
    if (is_common(record, point.kind, each)) continue;
    what += fmt::format(", {}=", each.first);
    std::visit([&](const auto& held) { what += fmt::format("{}", held); }, each.second);
  }
  auto flags = point.flags;
  if (!point.is_complete) flags.emplace_back("unfinished");
  return fmt::format("{}: {}", what, fmt::join(flags, "; "));
}

bool is_database(const std::filesystem::path& path) {
  return path.extension() == ".sqlite" || path.extension() == ".nsys-sqlite";
}

std::string share_text(double seconds, double span) {
  return fmt::format("{} ({:.1f} %)", to_text(Seconds{seconds}), 100 * seconds / span);
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

std::optional<FileContent> check_launch_file(const std::filesystem::path& file,
                                             const std::filesystem::path& configs) try {
  const LaunchFile launch = read_launch_file(file.string());
  const Launcher* launcher = launcher_of(configs, launch);
  if (launcher == nullptr) return {};
  return FileContent{
      .kind = "launch file",
      .summary = fmt::format(" of {}, {}; `tofn predict --from` reads it", launcher->name,
                             counted(launch.settings.size(), "setting")),
      .notes = json_notes(file)};
} catch (const InputError&) {
  return {};
}

FileContent check_record(const std::filesystem::path& file) {
  const Record record = load_record(file);
  FileContent report{.kind = "record", .summary = {}, .notes = {}};
  std::size_t ranks = 0;
  std::size_t unfinished = 0;
  for (const RecordHost& host : record.hosts) ranks += static_cast<std::size_t>(host.ranks);
  for (const RecordPoint& point : record.points) {
    if (!point.is_complete) ++unfinished;
    if (!point.flags.empty() || !point.is_complete)
      report.notes.push_back(flags_note(record, point));
  }
  report.summary = fmt::format(", {} on {} of {}", counted(record.points.size(), "point"),
                               counted(ranks, "rank"), counted(record.hosts.size(), "host"));
  if (unfinished > 0) report.summary += fmt::format(", {} unfinished", unfinished);
  return report;
}

bool resembles_record(const YamlNode& root) {
  if (!root.is_map()) return false;
  const auto entries = root.entries();
  return std::ranges::any_of(entries, [](const auto& entry) {
    return entry.first == "tofn_record" || entry.first == "provenance" || entry.first == "points";
  });
}

bool is_profile(const std::filesystem::path& path) {
  if (is_database(path)) return true;
  if (file_ending(path) != ".json") return false;
  if (is_standard_input(path)) return is_kineto(standard_input_text());
  constexpr std::size_t head = 4096;
  std::string start(head, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), static_cast<std::streamsize>(start.size()));
  return is_kineto(start);
}

FileContent check_profile(const std::filesystem::path& path) {
  const KernelTrace trace =
      is_database(path) ? read_nsys_sqlite(path) : read_kineto(read_text_file(path), path.string());
  const TraceSummary summary = summary_of(trace);
  FileContent content{.kind = "profile", .summary = {}, .notes = {}};
  content.summary = fmt::format(
      ", {} kernels on {} in {}{}: busy {:.1f} %, of it exposed communication {:.1f} %",
      trace.kernels.size(), counted(summary.devices, "device"), to_text(Seconds{summary.span}),
      trace.steps.empty() ? ""
                          : fmt::format(", {} steps of {}", trace.steps.size(),
                                        to_text(Seconds{median(trace.steps)})),
      100 * summary.busy / summary.span, 100 * summary.exposed / summary.span);
  for (const KernelShare& each : summary.kinds)
    content.notes.push_back(fmt::format("{}: {}, {} kernels", each.kind,
                                        share_text(each.seconds, summary.span), each.kernels));
  content.notes.push_back("communication beside kernels: " +
                          share_text(summary.hidden, summary.span));
  content.notes.push_back("gaps, no kernel at all: " + share_text(summary.gaps, summary.span));
  return content;
}

}  // namespace answers
}  // namespace tofn
