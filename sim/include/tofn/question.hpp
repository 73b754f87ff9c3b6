#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tofn/answer.hpp"

namespace tofn {

/// Value of an option: on or off if the option takes no value, a number, text as on the command
/// line (`2T`, `25MiB`), or several of these.
class Setting {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> Setting(T value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_same_v<T, bool>)
      value_ = value;
    else if constexpr (std::is_integral_v<T>)
      value_ = static_cast<long long>(value);
    else
      value_ = static_cast<double>(value);
  }
  Setting(std::string text) : value_(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  Setting(const char* text) : value_(text) {}             // NOLINT(google-explicit-constructor)
  Setting(std::vector<Setting> several)                   // NOLINT(google-explicit-constructor)
      : value_(std::move(several)) {}

  const auto& value() const { return value_; }

 private:
  std::variant<bool, long long, double, std::string, std::vector<Setting>> value_;
};

/// Options of a command by their long names, in which `_` may stand for `-`: {{"accelerators",
/// 512}, {"tokens", "2T"}}. `tofn help COMMAND` lists them.
using Options = std::vector<std::pair<std::string, Setting>>;

/// A command of `tofn` with its arguments and options.
struct Question {
  std::string command;
  std::vector<std::string> arguments{};
  Options options{};
};

/// Words of the command line that asks the question, without the program's name. Throws Error if
/// the command or an option is not known.
std::vector<std::string> command_line(const Question&);

/// Answers a question figure by figure, without printing. Throws Error.
///
/// Several threads may call it at once. `watch` without `once` returns when the run of the log
/// ends, and prints meanwhile. Options that name a file to write (`output`, `trace`, `save_plan`)
/// write it.
Answer answer(const Question&);

}  // namespace tofn
