#include <algorithm>
#include <iostream>
#include <list>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/sweep_job.hpp"
#include "sim/app/command.hpp"
#include "sim/app/run_options.hpp"
#include "sim/app/screen.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/app/waiting_line.hpp"
#include "sim/blocks/progress_line.hpp"
#include "sim/core/error.hpp"
#include "sim/core/launcher.hpp"
#include "sim/core/version.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/sweep_report.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr Text sweep{{"sweep", "a name of `tofn list sweeps`, or a .yaml file"}};
constexpr OptionOf<int> threads{
    {"threads", "threads of each process (default: all cores; one per rank under mpirun)"},
    whole<1024>};
constexpr AnyOption dry_run{
    "dry-run", "say how many points there are and how long they take, and end", Takes::Nothing};
constexpr AnyOption resume{"resume", "go on with what an earlier run left beside the file of -o",
                           Takes::Nothing};
}  // namespace option

CommandLine sweep_command_line() {
  return {"sweep SWEEP [OPTIONS]",
          "  tofn sweep llama3-70b-plans\n"
          "  tofn sweep my-sweep.yaml --threads 8 -o points.csv      # or .jsonl, .sqlite\n"
          "  tofn sweep my-sweep.yaml -o points.csv --resume\n"
          "  mpirun -np 64 tofn sweep my-sweep.yaml -o points.csv\n",
          {{.option = &option::sweep, .words = 1},
           {&option::threads},
           {&option::dry_run},
           {&option::resume},
           {&option::overrun}}};
}

namespace {

/// Runs the job, and shows its progress on a terminal.
template <class Run>
BlockOutcome watched(BlockOptions& options, const Run& run) {
  WaitingLine::give_way();
  ProgressLine line(std::cerr, can_show_progress());
  if (!are_notices_kept())
    options.on_progress = [&](const BlockProgress& progress) { line.show(progress); };
  BlockOutcome outcome = run();
  line.clear();
  if (!outcome.message.empty() && outcome.is_first_rank) say_why_it_failed(outcome.message);
  return outcome;
}

CommandAnswer sweep_to_file(const SweepJob& job, const BlockFile& file, BlockOptions& options) {
  const BlockOutcome outcome =
      watched(options, [&] { return run_blocks(job.job(), file, options); });
  CommandAnswer answer{.exit_code = outcome.exit_code};
  if (!outcome.is_first_rank || outcome.exit_code != 0) return answer;
  job.require_rows(outcome.rows);
  answer.summary = fmt::format("{}: {}\n", file.path.string(),
                               job.summary(outcome.progress, outcome.rows).sentence());
  return answer;
}

CommandAnswer sweep_to_screen(const SweepJob& job, const CommonOptions& common,
                              BlockOptions& options) {
  // An answer of the library is returned as a whole.
  const bool streams = common.format == Format::Csv && !job.job().choose && !are_notices_kept();
  std::ostringstream rows;
  const BlockOutcome outcome =
      watched(options, [&] { return run_blocks(job.job(), streams ? std::cout : rows, options); });
  if (outcome.exit_code != 0 || !outcome.is_first_rank) return {.exit_code = outcome.exit_code};
  job.require_rows(outcome.rows);
  const SweepSummary summary = job.summary(outcome.progress, outcome.rows);
  const std::string sentence = summary.sentence() + '\n';
  // The summary goes to standard error, because rows of CSV have no place for it.
  if (streams) return {.summary = sentence};
  Records records = job.records(rows.str());
  AnswerText text = sweep_text(job.sweep(), records, summary);
  return {.text = std::move(text.screen),
          .details = std::move(text.details),
          .records = std::move(records),
          .summary = sentence};
}

Sweep requested_sweep(const options::variables_map& values, const CommonOptions& common,
                      const std::string& name) {
  Sweep sweep = load_sweep(file_named(common.configs, "sweeps", "sweep", name));
  const bool has_runs = sweep.base.model && sweep.asks_for(&Request::trains);
  if (!has_runs && option::overrun.is_given(values))
    throw InputError({}, option::overrun.flag(),
                     "changes nothing: this sweep has no whole runs of a model (tokens)");
  sweep.overrun = option::overrun.value(values);
  return sweep;
}

/// Name of the format with the file's suffix; empty if there is none.
std::string_view format_by_suffix(const std::filesystem::path& file) {
  if (file.extension() == ".json") return "json";
  for (const OutputFormat& format : output_formats())
    if (file.extension() == format.suffix) return format.name;
  return {};
}

/// Format of the rows in the output file, by `--format` or by the suffix. Null if the answer is
/// written as a whole, as by other commands. InputError if the two contradict each other.
const OutputFormat* format_of_rows(const options::variables_map& values,
                                   const CommonOptions& common) {
  if (common.output.empty()) return nullptr;
  const std::string request = option::format.text(values).value();
  const bool is_requested = option::format.is_given(values);
  const std::string_view by_suffix = format_by_suffix(common.output);
  if (is_requested && !by_suffix.empty() && request != by_suffix)
    throw InputError({}, option::format.flag(),
                     fmt::format("says {}, but the suffix of {} says {}", request,
                                 common.output.string(), by_suffix));
  for (const OutputFormat& format : output_formats())
    if (format.name == (is_requested ? std::string_view(request) : by_suffix)) return &format;
  return is_requested || !by_suffix.empty() ? nullptr : &output_format_of(common.output);
}

}  // namespace

CommandAnswer run_sweep(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const auto name = option::sweep.of(values);
  if (!name) throw InputError("which sweep? for example: tofn sweep llama3-70b-plans");
  const bool resumes = option::resume.is_given(values);
  if (resumes && common.output.empty())
    throw InputError({}, option::resume.flag(), "needs the file of the earlier run: -o FILE");
  const OutputFormat* const format = format_of_rows(values, common);
  if (resumes && format == nullptr)
    throw InputError({}, option::resume.flag(),
                     fmt::format("needs a file of rows, which {} is not: .csv, .jsonl or .sqlite",
                                 common.output.string()));
  const SweepJob job(requested_sweep(values, common, *name), common.configs,
                     fmt::format("{} {}", version_number, git_description));
  BlockOptions options;
  options.threads = option::threads.of(values).value_or(options.threads);
  const bool is_dry = option::dry_run.is_given(values);
  const std::string announcement = is_first_process() ? job.announcement(options.threads) : "";
  if (is_dry) return {.text = announcement, .output_is_taken = true};
  tell(announcement);
  if (format == nullptr) return sweep_to_screen(job, common, options);
  return sweep_to_file(job, {.path = common.output, .format = format, .resume = resumes}, options);
}

}  // namespace app
}  // namespace tofn
