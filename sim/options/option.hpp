#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/program_options.hpp>

/// The words of Boost that command lines are declared and read with.
namespace tofn {
inline namespace options {
using boost::program_options::bool_switch;
using boost::program_options::options_description;
using boost::program_options::positional_options_description;
using boost::program_options::value;
using boost::program_options::variable_value;
using boost::program_options::variables_map;
}  // namespace options
}  // namespace tofn

// An option is an object, declared once: commands list it in their rows, and code reads it.

namespace tofn {
inline namespace options {

/// How many values an option takes.
enum class Takes {
  Value,
  Nothing,        ///< a switch
  PerhapsValue,   ///< an empty one where none is stated
  Words,          ///< any number of words, which may stand without its name
  ValueEachTime,  ///< one each time that it is given
  Values          ///< several behind its name
};

/// All of an option but the type of its value; a switch has no more.
struct AnyOption {
  std::string_view name;  ///< `replica-batch`
  std::string_view help{};
  Takes takes = Takes::Value;
  std::string_view usual{};  ///< the text of its value where none is given; empty: it has none
  char letter = 0;           ///< `N` of `-N`; 0: none
  bool is_for_pages = true;  ///< what a page asks may have it
  bool writes_file = false;  ///< its value is the file that the command writes

  /// `--replica-batch`, as refusals name it.
  std::string flag() const { return "--" + std::string(name); }
  /// Whether it stands on the command line: a default does not.
  bool is_given(const options::variables_map&) const;
  /// Its one value as it stands, a default's too; absent: it has none.
  std::optional<std::string> text(const options::variables_map&) const;
  /// All its values as they stand, none where it has none.
  std::vector<std::string> texts(const options::variables_map&) const;
  /// Its value as `read` has it in place of its own reader.
  template <class T>
  std::optional<T> as(const options::variables_map& values,
                      T (*read)(const std::string& text, const std::string& flag)) const {
    const auto given = text(values);
    if (!given) return {};
    return read(*given, flag());
  }
};

/// An option with a value of this type. `read` makes it of the text; an InputError names the flag.
template <class T>
struct OptionOf : AnyOption {
  T (*read)(const std::string& text, const std::string& flag);
  /// Its value; absent: it was not given, and has no default.
  std::optional<T> of(const options::variables_map& values) const { return as(values, read); }
  /// Its value where it is known to be there, as a default is.
  T value(const options::variables_map& values) const { return of(values).value(); }
};

/// A text is taken as it stands.
template <>
struct OptionOf<std::string> : AnyOption {
  std::optional<std::string> of(const options::variables_map& values) const { return text(values); }
  std::string value(const options::variables_map& values) const { return text(values).value(); }
};

/// Several texts, none where it was not given; `takes` says how they stand.
template <>
struct OptionOf<std::vector<std::string>> : AnyOption {
  std::vector<std::string> of(const options::variables_map& values) const { return texts(values); }
};

/// Texts of one option's value, whatever it takes.
std::vector<std::string> texts_of(const options::variable_value&);
/// The options with this text in place of the value that an option has in them.
options::variables_map with_option(options::variables_map, const AnyOption&, std::string text);

/// Kinds of job that a command tells apart, a bit each.
using Jobs = std::uint32_t;
inline constexpr Jobs every_job = ~Jobs{0};

/// An option as a command lists it.
struct CommandOption {
  const AnyOption* option;
  Jobs acts_on = every_job;  ///< kinds of job that it changes something of
  std::string help{};        ///< in place of the option's own
  std::string_view usual{};  ///< in place of its own default
  int words = 0;             ///< words that may stand without its name; -1: all that are left
  char letter = 0;           ///< where its own name has none

  std::string shown_help() const { return help.empty() ? std::string(option->help) : help; }
};
/// Options in the order of a command's help.
using CommandOptions = std::vector<CommandOption>;

/// Rows of options that act on the same jobs.
CommandOptions rows_for(Jobs, const std::vector<const AnyOption*>&);
/// Blocks of options, one behind the other.
CommandOptions joined(std::vector<CommandOptions> blocks);

}  // namespace options
}  // namespace tofn
