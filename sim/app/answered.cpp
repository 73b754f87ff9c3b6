#include "sim/app/answered.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace app {
namespace {

std::string text_of(const Setting& setting) {
  struct Text {
    std::string operator()(bool is_on) const { return is_on ? "on" : "off"; }
    std::string operator()(long long count) const { return fmt::format("{}", count); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<Setting>& several) const {
      std::string all;
      for (const Setting& each : several) all += (all.empty() ? "" : ",") + text_of(each);
      return all;
    }
  };
  return std::visit(Text{}, setting.value());
}

/// Returns the command's option of that name. InputError if there is none.
const AnyOption& option_named(const CommandOptions& all, const std::string& name) {
  std::vector<std::string> names;
  for (const CommandOption& row : all) {
    if (row.option->name == name) return *row.option;
    names.emplace_back(row.option->name);
  }
  throw InputError(unknown_name("option", name, names));
}

/// Appends an option: `--name=value`, `--name` for a switch that is on, or `--name=value` once for
/// each of several values.
void add_option(std::vector<std::string>& words, const CommandOptions& all,
                const std::string& request, const Setting& setting) {
  std::string name = request;
  std::replace(name.begin(), name.end(), '_', '-');
  const AnyOption& option = option_named(all, name);
  if (option.takes == Takes::Nothing) {
    const bool* is_on = std::get_if<bool>(&setting.value());
    if (is_on == nullptr) throw InputError({}, option.flag(), "takes no value: give true or false");
    if (*is_on) words.push_back(option.flag());
    return;
  }
  const auto* several = std::get_if<std::vector<Setting>>(&setting.value());
  if (several != nullptr &&
      (option.takes == Takes::Values || option.takes == Takes::ValueEachTime)) {
    for (const Setting& each : *several) words.push_back(option.flag() + '=' + text_of(each));
    return;
  }
  words.push_back(option.flag() + '=' + text_of(setting));
}

/// Options of the command, which can depend on the arguments and on the options that are given.
CommandOptions all_options(const Question& question, const Command& command) {
  std::vector<std::string> words = question.arguments;
  for (const auto& [name, setting] : question.options) words.push_back("--" + name + '=');
  const CommandLine line = command.line(words);
  return joined({line.rows, line.refused, common_rows()});
}

std::vector<std::string> words_after_command(const Question& question, const Command& command) {
  std::vector<std::string> words = question.arguments;
  const auto all = all_options(question, command);
  for (const auto& [name, setting] : question.options) add_option(words, all, name, setting);
  return words;
}

}  // namespace

std::vector<std::string> words_of(const Question& question) {
  std::vector<std::string> words = words_after_command(question, command_named(question.command));
  words.insert(words.begin(), question.command);
  return words;
}

namespace {

CommandAnswer answer_to(const Question& question, const Command& command) {
  const ReadOnce one_answer;
  const auto values = parse_command(command, words_after_command(question, command));
  if (option::help.is_given(values))
    throw InputError({}, option::help.flag(), "is for the command line");
  const CommonOptions common = read_common(values);
  CommandAnswer answer = run_command(command, values);
  if (!common.output.empty() && !answer.output_is_taken) write_answer(common, answer);
  return answer;
}

}  // namespace

Answered answered(const Question& question) {
  const Command& command = command_named(question.command);
  Notices notices;
  try {
    CommandAnswer answer = answer_to(question, command);
    return {.answer = std::move(answer), .notices = std::move(notices.lines)};
  } catch (const InputError& error) {
    if (notices.lines.empty()) throw;
    throw InputError(fmt::format("{}\n{}", fmt::join(notices.lines, "\n"), error.what()));
  }
}

}  // namespace app
}  // namespace tofn
