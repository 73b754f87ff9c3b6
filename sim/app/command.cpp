#include "sim/app/command.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/machine_notes.hpp"
#include "sim/app/job_kinds.hpp"
#include "sim/app/screen.hpp"
#include "sim/app/waiting_line.hpp"
#include "sim/core/configs_folder.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/version.hpp"
#include "sim/formats/text/answer_file.hpp"

namespace tofn {
inline namespace app {
CommandOptions common_rows() {
  constexpr Jobs of_answers = ~(stacks_fitted | fabrics_fitted | choice_predicted);
  return joined({{{&option::configs}, {&option::format, of_answers}},
                 rows_for(of_answers, {&option::output, &option::details, &option::wide,
                                       &option::quiet, &option::help})});
}

namespace {

bool is_same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code is_absent;
  return std::filesystem::is_regular_file(a, is_absent) &&
         std::filesystem::equivalent(a, b, is_absent);
}

}  // namespace

void refuse_overwriting(const options::variables_map& values, const AnyOption& option,
                        const std::filesystem::path& output) {
  for (const auto& [name, value] : values)
    for (const std::string& word : texts_of(value))
      if (name != option.name && is_same_file(word, output))
        throw InputError(
            {}, option.flag(),
            fmt::format("{} is what --{} reads: name another file", output.string(), name));
}

namespace {

/// Words of `explain`, with the dashes removed from options of other commands.
std::vector<std::string> as_terms(std::vector<std::string> words, const CommandOptions& own) {
  for (std::string& word : words) {
    const bool is_own = std::ranges::any_of(own, [&](const CommandOption& row) {
      return word.substr(0, word.find('=')) == row.option->flag();
    });
    if (word.starts_with("--") && word != "--help" && !is_own) word.erase(0, 2);
  }
  return words;
}

}  // namespace

options::variables_map parse_command(const Command& command,
                                     const std::vector<std::string>& given) {
  const CommandLine line = command.line(given);
  const std::vector<std::string> words =
      command.run == run_explain ? as_terms(given, joined({common_rows(), line.rows})) : given;
  auto values = parse_words(line, common_rows(), words);
  const auto output = option::output.of(values);
  if (output && output->ends_with(".html") && command.run != run_report && command.run != run_sweep)
    throw InputError({}, option::output.flag(),
                     fmt::format("'{}': only `tofn report` writes pages; .csv and .json say the "
                                 "format of rows, other names take the text",
                                 *output));
  for (const CommandOption& row : joined({common_rows(), line.rows}))
    if (row.option->writes_file)
      if (const auto file = row.option->text(values))
        refuse_overwriting(values, *row.option, *file);
  return values;
}

CommandAnswer command_answer(AnswerText text, Records records, int exit_code) {
  return {.text = std::move(text.screen),
          .details = std::move(text.details),
          .records = std::move(records),
          .exit_code = exit_code};
}

CommonOptions read_common(const options::variables_map& values) {
  return {.configs = option::configs.of(values).value_or(default_configs().string()),
          .format = option::format.value(values),
          .output = option::output.of(values).value_or(""),
          .is_wide = option::wide.is_given(values),
          .has_details = option::details.is_given(values)};
}

CommandAnswer run_command(const Command& command, const options::variables_map& values) {
  std::vector<std::string> files;
  for (const auto& [name, value] : values) {
    const auto words = texts_of(value);
    files.insert(files.end(), words.begin(), words.end());
  }
  if (command.run != run_check)
    for (const std::string& note : machine_notes(files, read_common(values).configs)) say(note);
  return command.run(values);
}

namespace {

/// Requested format, otherwise that of the output file's ending.
Format format_of(const CommonOptions& common) {
  if (common.format != Format::Table) return common.format;
  if (common.output.extension() == ".csv") return Format::Csv;
  return common.output.extension() == ".json" ? Format::Json : Format::Table;
}

std::vector<std::string>& invocation() {
  static std::vector<std::string> words;
  return words;
}

/// Digests of the files that were read, by path. Paths of shipped files begin with `configs/` in
/// every installation; others stay as they were given.
std::map<std::string, std::string> named_files() {
  const std::string shipped = default_configs().string() + '/';
  std::map<std::string, std::string> files;
  for (const auto& [path, digest] : files_read())
    files[path.starts_with(shipped) ? "configs/" + path.substr(shipped.size()) : path] = digest;
  return files;
}

thread_local Notices* kept_notices = nullptr;

}  // namespace

std::string json_of(const CommandAnswer& answer) {
  return to_json(AnswerFile{.from = {.version = version_number,
                                     .commit = git_description,
                                     .command = invocation(),
                                     .files = named_files()},
                            .rows = answer.records,
                            .text = answer.text});
}

void say(std::string_view lines) {
  if (kept_notices == nullptr) WaitingLine::give_way();
  for (std::size_t start = 0; start <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', start), lines.size());
    const std::string line(lines.substr(start, end - start));
    if (kept_notices != nullptr)
      kept_notices->lines.push_back(line);
    else
      std::cerr << (line.starts_with("    ") ? "" : "tofn: ") << line << '\n';
    start = end + 1;
  }
}

void say_why_it_failed(std::string_view lines) {
  const std::size_t stated = kept_notices != nullptr ? kept_notices->lines.size() : 0;
  say(lines);
  if (kept_notices == nullptr) return;
  const auto first = kept_notices->lines.begin() + static_cast<std::ptrdiff_t>(stated);
  kept_notices->failures.insert(kept_notices->failures.end(), first, kept_notices->lines.end());
}

void tell(std::string_view text) {
  if (kept_notices != nullptr)
    say(text.substr(0, text.find_last_not_of('\n') + 1));
  else
    std::cerr << text;
}

Notices::Notices() : before_(std::exchange(kept_notices, this)) {}
Notices::~Notices() { kept_notices = before_; }

bool are_notices_kept() { return kept_notices != nullptr; }

bool are_rows_taken(const CommonOptions& common) {
  return format_of(common) != Format::Table || are_notices_kept();
}

void say_if_idle(const AnyOption& option, const options::variables_map& values,
                 const CommonOptions& common) {
  if (option.is_given(values) && !are_rows_taken(common))
    say(fmt::format("{} changes nothing here: it chooses the rows of --format csv and json",
                    option.flag()));
}

void set_invocation(std::vector<std::string> words) { invocation() = std::move(words); }

namespace {

std::string for_people(const std::string& text, bool is_wide) {
  return is_wide ? text : fitted_to_screen(text);
}

/// Text without the hint that there are details: in the line `next`, from `--details` to the next
/// option or command.
std::string without_hint_at_details(std::string text) {
  const std::size_t line = text.rfind("\nnext ");
  const std::size_t end = line == text.npos ? line : text.find('\n', line + 1);
  const std::size_t hint = line == text.npos ? line : text.find("--details", line);
  if (hint >= end) return text;
  const std::size_t other = std::min(text.find(", -", hint), text.find(", tofn ", hint));
  if (other < end) return text.erase(hint, other + 2 - hint);
  const bool is_alone = text[hint - 2] != ',';
  const std::size_t first = is_alone ? line : hint - 2;
  return text.erase(first, end - first);
}

/// Text of the answer, followed by its details with `--details`.
std::string whole_text(const CommonOptions& common, const CommandAnswer& answer) {
  const bool goes_on = common.has_details && !answer.details.empty();
  return goes_on ? without_hint_at_details(answer.text) + '\n' + answer.details : answer.text;
}

}  // namespace

void print(const std::string& text, bool is_wide) {
  WaitingLine::give_way();
  const std::string lines = for_people(text, is_wide);
  std::cout << (has_colour() ? coloured(lines) : lines) << std::flush;
  if (!std::cout) throw WriteError("standard output");
}

void write_answer(const CommonOptions& request, const CommandAnswer& answer) {
  CommonOptions common = request;
  if (answer.output_is_taken) common.output.clear();
  const Format format = format_of(common);
  const bool has_rows = !answer.records.columns.empty();
  const bool is_text = format == Format::Table && common.output.empty();
  if (common.has_details && answer.details.empty()) say("--details: there is no more than this");
  if (!is_text) tell(answer.summary);
  if (!has_rows && answer.text.empty()) return;  // a sweep wrote its file itself, or has failed
  if (is_text || (!has_rows && common.output.empty()))
    return print(whole_text(common, answer), common.is_wide || answer.is_exact);
  const std::string written =
      has_rows && format == Format::Csv ? to_csv(answer.records)
      : has_rows && format == Format::Json
          ? json_of(answer)
          : for_people(whole_text(common, answer), common.is_wide || answer.is_exact);
  if (common.output.empty())
    std::cout << written << std::flush;
  else
    write_text_file_atomically(common.output, written);
  if (!std::cout) throw WriteError("standard output");
}

}  // namespace app
}  // namespace tofn
