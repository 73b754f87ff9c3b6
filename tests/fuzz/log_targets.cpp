#include <cmath>

#include "sim/core/file.hpp"
#include "sim/evidence/machine_of_log.hpp"
#include "sim/formats/collective_logs/log_format.hpp"
#include "sim/formats/collective_logs/nccl_debug.hpp"
#include "sim/formats/collective_logs/nccl_slowdowns.hpp"
#include "sim/formats/step_logs/kernel_trace.hpp"
#include "sim/formats/step_logs/mllog_run.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/text/stated_arguments.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

/// Hints that let a reader reach the rows of a log whose name and header do not state the
/// placement.
const LogHints log_hints{.collective = CollectiveKind::AllReduce, .ranks = 8, .nodes = 2};
const StepHints step_hints{.accelerators = 8, .global_batch = 64};

template <bool (*fits)(const LogText&), LoggedTables (*read)(const LogText&)>
void one_log(const std::string& text) {
  only_input_errors([&] {
    check_text(text, file);
    const LogText log = cut_into_lines(text, file);
    if (fits(log)) check(completed(read(log), log, log_hints));
  });
}

void any_log(const std::string& text) {
  only_input_errors([&] { check(read_collective_log(text, file, log_hints)); });
  only_input_errors([&] { check(read_collective_log(text, file)); });
}

void check_reading(const StepReading& reading) {
  require(!reading.steps.empty(), "there is a step");
  for (const MeasuredStep& step : reading.steps) {
    require(std::isfinite(step.step.base()) && step.step.base() > 0, "steps take time");
    require(std::isfinite(step.spread) && step.spread >= 0, "spreads are not negative");
    require(step.steps >= 1 && step.accelerators >= 1 && step.global_batch >= 1 &&
                step.tensor_parallel_size >= 1 && step.pipeline_parallel_size >= 1 &&
                step.context_parallel_size >= 1 && step.gradient_accumulation >= 1,
            "sizes are at least 1");
  }
}

template <bool (*fits)(const LogText&), LoggedRuns (*read)(const LogText&, const StepHints&)>
void one_step_log(const std::string& text) {
  only_input_errors([&] {
    check_text(text, file);
    const std::string plain = without_colours(text);
    const LogText log = cut_into_lines(plain, file);
    if (fits(log)) check_reading(completed_steps(read(log, step_hints), log, step_hints));
  });
}

void any_step_log(const std::string& text) {
  only_input_errors([&] { check_reading(read_step_log(text, file, step_hints)); });
  only_input_errors([&] { survey_step_log(text, file); });
  only_input_errors([&] { check_reading(read_step_log(text, file)); });
}

void kernel_trace(const std::string& text) {
  only_input_errors([&] {
    check_text(text, file);
    const TraceSummary summary = summary_of(read_kineto(text, file));
    require(summary.devices >= 1, "kernels run on a device");
    require(std::isfinite(summary.span) && summary.gaps >= -1e-6 * summary.span,
            "gaps are not negative");
    require(summary.busy <= summary.span * (1 + 1e-6), "busy is part of the span");
  });
}

void nccl_facts(const std::string& text) {
  only_input_errors([&] {
    check_text(text, file);
    for (const NcclChoice& choice : read_nccl_debug(text, file).choices) {
      require(choice.channels >= 1, "a choice has channels");
      require(choice.size.base() >= 0, "a choice has a size");
    }
  });
}

/// Reads the parts of a log that are not its rows.
void words_of_log(const std::string& text) {
  if (!is_text(text)) return;
  for (const NcclSlowdown& each : slowdowns_in(text))
    require(!each.words.empty() && !each.effect.empty(), "a slowdown has words");
  devices_of_ranks(text);
  if (const auto size = parse_printed_size(text))
    require(std::isfinite(size->bytes), "a size is finite");
  static constexpr std::array<std::string_view, 2> names{"num_layers", "seq_length"};
  for (const StatedArgument& each : stated_arguments(text, file, names))
    require(each.place.line > 0, "an argument has a place");
}

/// Scans the log as a stream, in which bytes that are not text count as damage.
void result_of_mlperf(const std::string& text) {
  const MlperfLog log = scan_mlperf_log(path_with(text));
  require(log.bytes == static_cast<long long>(text.size()), "all of it is read");
  const MllogSteps steps = steps_of(log.run, 8);
  for (const MllogInterval& each : steps.steps)
    require(std::isfinite(each.seconds), "steps take time");
  static_cast<void>(progress_of(log.run, steps));
}

}  // namespace

TargetTable log_targets() {
  constexpr double often = 10;  // users bring logs from everywhere
  return {
      {"auto", "logs of collectives of any format", any_log, Shape::Bytes, 2048, often},
      {"nccl_tests", "nccl-tests", one_log<is_nccl_tests, read_nccl_tests>, Shape::Bytes, 2048,
       often},
      {"nccl_json", "JSON of nccl-tests", one_log<is_nccl_json, read_nccl_json>, Shape::Bytes, 2048,
       often},
      {"nccl_inspector", "JSON lines of NCCL Inspector",
       one_log<is_nccl_inspector, read_nccl_inspector>, Shape::Bytes, 2048, often},
      {"inspector_metrics", "Prometheus metrics of NCCL Inspector",
       one_log<is_inspector_metrics, read_inspector_metrics>, Shape::Bytes, 2048, often},
      {"osu", "OSU Micro-Benchmarks", one_log<is_osu, read_osu>, Shape::Bytes, 2048, often},
      {"imb", "Intel MPI Benchmarks", one_log<is_imb, read_imb>, Shape::Bytes, 2048, often},
      {"csv", "CSV of collectives", one_log<is_csv, read_csv>, Shape::Bytes, 2048, often},
      {"plain_table", "tables of sizes and times", one_log<is_plain_table, read_plain_table>,
       Shape::Bytes, 2048, often},
      {"steps", "logs of training of any format", any_step_log, Shape::Bytes, 2048, often},
      {"printed_steps", "programs that print a line a step",
       one_step_log<is_printed_steps, read_printed_steps>, Shape::Bytes, 2048, often},
      {"progress_bar", "progress bars (tqdm)", one_step_log<is_progress_bar, read_progress_bar>,
       Shape::Bytes, 2048, often},
      {"trainer_summary", "summaries of Hugging Face's Trainer",
       one_step_log<is_trainer_summary, read_trainer_summary>, Shape::Bytes, 2048, often},
      {"mllog_steps", "MLPerf's MLLOG", one_step_log<is_mllog_steps, read_mllog_steps>,
       Shape::Bytes, 2048, often},
      {"step_table", "tables of steps", one_step_log<is_step_table, read_step_table>, Shape::Bytes,
       2048, often},
      {"mlperf_log", "result files of MLPerf, streamed", result_of_mlperf, Shape::Bytes, 2048,
       often},
      {"nccl_debug", "NCCL_DEBUG=INFO", nccl_facts, Shape::Bytes, 2048, often},
      {"log_words", "slowdowns, devices and arguments that logs state", words_of_log, Shape::Bytes,
       2048, often},
      {"kineto", "traces of PyTorch's profiler", kernel_trace},
  };
}

}  // namespace tofn::fuzz
