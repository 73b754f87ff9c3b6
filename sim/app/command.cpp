#include "sim/app/command.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sim/core/configs_folder.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/version.hpp"
#include "sim/measurements/answer_file.hpp"
#include "sim/report/line_width.hpp"

namespace tofn {
inline namespace app {
namespace {

Format format_named(const std::string& name) {
  static constexpr std::array<std::pair<std::string_view, Format>, 3> formats{
      {{"table", Format::Table}, {"csv", Format::Csv}, {"json", Format::Json}}};
  std::vector<std::string> names;
  for (const auto& [text, format] : formats) {
    if (text == name) return format;
    names.emplace_back(text);
  }
  throw InputError({}, "--format", unknown_name("format", name, names));
}

}  // namespace

std::span<const Command> commands() {
  static constexpr std::array table{
      Command{"compare", "predict every published run and show how far off each prediction is",
              run_compare},
      Command{"study", "repeat a published study of scaling on a table of published runs",
              run_study},
      Command{"predict",
              "predict step, run, energy and cost of a workload or a model on N accelerators",
              run_predict},
      Command{
          "plan",
          "choose machines, their number and the plan of a run: by deadline, budget, confidence",
          run_plan},
      Command{"scale",
              "scaling of a job or of given times: strong, weak, laws, knees and what to do",
              run_scale},
      Command{
          "step",
          "simulate a training step from dimensions, plan and cluster: time, bottleneck, memory",
          run_step},
      Command{"sweep", "predict or simulate every point of a grid, and show the best", run_sweep},
      Command{"collective",
              "time of one collective by each algorithm and protocol, and which is chosen",
              run_collective},
      Command{"report", "draw what the other commands wrote as one page of HTML", run_report},
      Command{"list", "show the known accelerators, clusters, workloads or calibrations", run_list},
      Command{"check", "validate files: YAML of any kind, published tables, logs", run_check},
      Command{"calibrate",
              "turn logs of collectives into curves, logs of training into a step profile",
              run_calibrate},
      Command{"validate", "hold measurements back and show how far off predictions of them are",
              run_validate},
      Command{"import", "turn a checkout of MLPerf Training's results into a table of runs",
              run_import},
      Command{"watch", "follow the log of a running job: progress, end, drift and its likely cause",
              run_watch},
      Command{"repeat", "give an answer again that was written as JSON, and say what changed",
              run_repeat},
  };
  return table;
}

options::options_description common_options() {
  options::options_description description("Common options");
  description.add_options()  //
      ("configs", options::value<std::string>(),
       "folder of accelerators/, clusters/, workloads/ (default: $TOFN_CONFIGS, else that "
       "installed or built with this program)")                                                //
      ("format", options::value<std::string>()->default_value("table"), "table, csv or json")  //
      ("output,o", options::value<std::string>(),
       "write to this file; .csv and .json say the format")  //
      ("help,h", "show this");
  return description;
}

std::optional<options::variables_map> parse(const CommandLine& line,
                                            const std::vector<std::string>& words) {
  const auto values = parse_words(line, common_options(), words);
  if (values.count("help") == 0) return values;
  print(help_text("tofn", line, common_options()));
  return {};
}

CommonOptions read_common(const options::variables_map& values) {
  CommonOptions common;
  common.configs = values.count("configs") > 0 ? values["configs"].as<std::string>()
                                               : default_configs().string();
  common.format = format_named(values["format"].as<std::string>());
  if (values.count("output") > 0) common.output = values["output"].as<std::string>();
  return common;
}

namespace {

constexpr std::size_t least_width = 40;

/// Characters that a line may have: what COLUMNS says, else what the terminal has.
std::optional<std::size_t> terminal_width() {
  std::size_t width = 0;
  if (const char* set = std::getenv("COLUMNS"))  // NOLINT(concurrency-mt-unsafe)
    width = std::strtoul(set, nullptr, 10);
  winsize terminal{};
  if (width == 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) == 0) width = terminal.ws_col;
  if (width == 0) return {};
  return std::max(width, least_width);
}

/// The ending of a file says its format where nobody asked for one.
Format format_of(const CommonOptions& common) {
  if (common.format != Format::Table) return common.format;
  if (common.output.extension() == ".csv") return Format::Csv;
  return common.output.extension() == ".json" ? Format::Json : Format::Table;
}

std::vector<std::string>& invocation() {
  static std::vector<std::string> words;
  return words;
}

/// Files that ship under the name that they have in every copy, the others as they were asked for.
std::map<std::string, std::string> named_files() {
  const std::string shipped = default_configs().string() + '/';
  std::map<std::string, std::string> files;
  for (const auto& [path, digest] : files_read())
    files[path.starts_with(shipped) ? "configs/" + path.substr(shipped.size()) : path] = digest;
  return files;
}

std::string json_of(const Records& records) {
  return to_json(AnswerFile{.from = {.version = version,
                                     .commit = git_description,
                                     .command = invocation(),
                                     .files = named_files()},
                            .rows = records});
}

}  // namespace

void say_mistakes(std::string_view what) {
  for (std::size_t start = 0; start <= what.size();) {
    const std::size_t end = std::min(what.find('\n', start), what.size());
    std::cerr << "tofn: " << what.substr(start, end - start) << '\n';
    start = end + 1;
  }
}

void set_invocation(std::vector<std::string> words) { invocation() = std::move(words); }

void print(const std::string& text) {
  const auto width = terminal_width();
  std::cout << (width ? with_line_width(text, *width) : text) << std::flush;
  if (!std::cout) throw WriteError("standard output");
}

void write_answer(const CommonOptions& common, const std::string& text, const Records& records) {
  const Format format = format_of(common);
  if (format == Format::Table && common.output.empty()) return print(text);
  const std::string& answer = format == Format::Csv    ? to_csv(records)
                              : format == Format::Json ? json_of(records)
                                                       : text;
  if (common.output.empty())
    std::cout << answer << std::flush;
  else
    write_text_file_atomically(common.output, answer);
  if (!std::cout) throw WriteError("standard output");
}

std::uint64_t seed_of(const options::variables_map& values) {
  const auto& text = values["seed"].as<std::string>();
  long long seed = 0;
  if (!parse_integer(text, seed) || seed < 0)
    throw InputError({}, "--seed",
                     "expected a whole number of at least 0, got '" + shortened(text) + "'");
  return static_cast<std::uint64_t>(seed);
}

}  // namespace app
}  // namespace tofn
