#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options/variables_map.hpp>

/// Names of Boost.Program_options that hold the values of a command line.
namespace tofn {
inline namespace options {
using boost::program_options::variable_value;
using boost::program_options::variables_map;
}  // namespace options
}  // namespace tofn

// An option is an object, declared once: commands list it in their rows, and code reads it.

namespace tofn {
inline namespace options {

/// Values that an option takes.
enum class Takes {
  Value,
  Nothing,        ///< a switch
  PerhapsValue,   ///< at most one; empty if none is stated
  Words,          ///< any number of words, also without the option's name
  ValueEachTime,  ///< one each time the option is given
  Values          ///< several after the option's name
};

/// Option without the type of its value; complete for a switch.
struct AnyOption {
  std::string_view name;  ///< `replica-batch`
  std::string_view help{};
  Takes takes = Takes::Value;
  std::string_view default_text{};  ///< text of the default value; empty if there is none
  char letter = 0;                  ///< `N` of `-N`; 0 if there is none
  bool is_for_pages = true;         ///< true if a question of a page may use it
  bool writes_file = false;         ///< true if its value is the file that the command writes
  bool is_required = false;         ///< true if its value must be stated

  /// Name in error messages, e.g. `--replica-batch`.
  std::string flag() const { return "--" + std::string(name); }
  /// True if the command line states the option; false if the value is the default.
  bool is_given(const options::variables_map&) const;
  /// Text of the stated or default value; absent if there is neither.
  std::optional<std::string> text(const options::variables_map&) const;
  /// Texts of all values; empty if there are none.
  std::vector<std::string> texts(const options::variables_map&) const;
  /// Value that `read` returns, in place of the option's own reader.
  template <class T>
  std::optional<T> as(const options::variables_map& values,
                      T (*read)(const std::string& text, const std::string& flag)) const {
    const auto given = text(values);
    if (!given) return {};
    return read(*given, flag());
  }
};

/// Option with a value of type T. `read` makes the value from its text; an InputError of `read`
/// names the flag.
template <class T>
struct OptionOf : AnyOption {
  T (*read)(const std::string& text, const std::string& flag);
  /// Stated or default value; absent if there is neither.
  std::optional<T> of(const options::variables_map& values) const { return as(values, read); }
  /// Value of an option that is known to have one, e.g. a default.
  T value(const options::variables_map& values) const { return of(values).value(); }
};

/// Option with a text as its value.
template <>
struct OptionOf<std::string> : AnyOption {
  std::optional<std::string> of(const options::variables_map& values) const { return text(values); }
  std::string value(const options::variables_map& values) const { return text(values).value(); }
};

/// Option with several texts as its value; empty if it was not given. `takes` says how a command
/// line states them.
template <>
struct OptionOf<std::vector<std::string>> : AnyOption {
  std::vector<std::string> of(const options::variables_map& values) const { return texts(values); }
};

/// Texts of an option's value: one or several.
std::vector<std::string> texts_of(const options::variable_value&);
/// Returns the options with `text` as the value of one of them.
options::variables_map with_option(options::variables_map, const AnyOption&, std::string text);

/// Set of the kinds of job that a command distinguishes, one bit for each kind.
using Jobs = std::uint32_t;
inline constexpr Jobs every_job = ~Jobs{0};

/// Option in the list of a command.
struct CommandOption {
  const AnyOption* option;
  Jobs acts_on = every_job;         ///< kinds of job that it affects
  std::string help{};               ///< replaces the option's own help unless empty
  std::string_view default_text{};  ///< replaces the option's own default unless empty
  int words = 0;                    ///< words it takes without its name; -1: all that are left
  char letter = 0;                  ///< replaces the option's own letter unless 0

  std::string shown_help() const { return help.empty() ? std::string(option->help) : help; }
  char shown_letter() const { return letter != 0 ? letter : option->letter; }
  /// Text of the default value; empty if there is none.
  std::string shown_default() const {
    if (option->takes != Takes::Value) return {};
    return std::string(default_text.empty() ? option->default_text : default_text);
  }
};
/// Options in the order of a command's help.
using CommandOptions = std::vector<CommandOption>;

/// Rows of options that act on the same jobs.
CommandOptions rows_for(Jobs, const std::vector<const AnyOption*>&);
/// Rows of options that act on every job and outlive the rows.
CommandOptions rows_for(std::span<const AnyOption>);
/// Joins blocks of options in their order.
CommandOptions joined(std::vector<CommandOptions> blocks);

}  // namespace options
}  // namespace tofn
