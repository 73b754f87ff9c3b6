#include "tofn/question.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "tofn/error.hpp"

namespace tofn {
namespace {

constexpr int failure_of_ours = 1;
constexpr int mistake_of_the_user = 2;

/// What leaves the library is an Error, with the words of the command.
template <class Work>
auto guarded(const Work& work) {
  try {
    return work();
  } catch (const Error&) {
    throw;
  } catch (const InputError& error) {
    throw Error(error.what(), mistake_of_the_user);
  } catch (const WriteError& error) {
    throw Error(error.what(), failure_of_ours);
  } catch (const std::exception& error) {
    throw Error(fmt::format("internal error: {}", error.what()), failure_of_ours);
  }
}

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

/// An option of the command as it is declared.
const boost::program_options::option_description& declared(const options::options_description& all,
                                                           const std::string& name) {
  std::vector<std::string> names;
  for (const auto& each : all.options()) {
    if (each->long_name() == name) return *each;
    names.push_back(each->long_name());
  }
  throw InputError(unknown_name("option", name, names));
}

/// `--name=value`; `--name` of an option without a value; `--name a b` of one that takes several.
void add_option(std::vector<std::string>& words, const options::options_description& all,
                const std::string& asked, const Setting& setting) {
  std::string name = asked;
  std::replace(name.begin(), name.end(), '_', '-');
  const auto& option = declared(all, name);
  const unsigned most = option.semantic()->max_tokens();
  if (most == 0) {
    const bool* is_on = std::get_if<bool>(&setting.value());
    if (is_on == nullptr) throw InputError({}, "--" + name, "takes no value: give true or false");
    if (*is_on) words.push_back("--" + name);
    return;
  }
  const auto* several = std::get_if<std::vector<Setting>>(&setting.value());
  if (several != nullptr && (most > 1 || option.semantic()->is_composing())) {
    for (const Setting& each : *several) words.push_back("--" + name + '=' + text_of(each));
    return;
  }
  words.push_back("--" + name + '=' + text_of(setting));
}

options::options_description all_options(const Command& command,
                                         const std::vector<std::string>& arguments) {
  options::options_description all;
  all.add(command.line(arguments).description).add(common_options());
  return all;
}

std::vector<std::string> words_of(const Question& question, const Command& command) {
  std::vector<std::string> words = question.arguments;
  const auto all = all_options(command, question.arguments);
  for (const auto& [name, setting] : question.options) add_option(words, all, name, setting);
  return words;
}

Answer answered(const Question& question) {
  const Command& command = command_named(question.command);
  Notices notices;
  const auto values = parse_command(command, words_of(question, command));
  const CommonOptions common = read_common(values);
  if (values.count("help") > 0) throw InputError({}, "--help", "is for the command line");
  CommandAnswer answer = command.run(values);
  if (!common.output.empty() && !answer.output_is_taken) write_answer(common, answer);
  return {std::move(answer.records.columns), std::move(answer.records.rows), std::move(answer.text),
          std::move(notices.lines), answer.exit_code};
}

}  // namespace

std::vector<std::string> command_line(const Question& question) {
  return guarded([&] {
    std::vector<std::string> words = words_of(question, command_named(question.command));
    words.insert(words.begin(), question.command);
    return words;
  });
}

Answer answer(const Question& question) {
  return guarded([&] { return answered(question); });
}

}  // namespace tofn
