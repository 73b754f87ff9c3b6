#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/formats/languages/python_tokens.hpp"
#include "sim/formats/languages/python_values.hpp"

namespace tofn {
inline namespace formats {

/// Function or class that a file defines.
struct PythonDefinition {
  std::string name{};
  bool is_class = false;
  int line = 0;
  struct Parameter {
    std::string name{};
    std::size_t begin = 0;  ///< first token of its default; equals `end` if it has none
    std::size_t end = 0;
    bool is_by_keyword = false;  ///< follows `*` or `*args`: only a keyword sets it
  };
  std::vector<Parameter> parameters{};
  std::size_t body = 0;  ///< first token of its block
};

/// Evaluates a file without running it: statements (python_reader.cpp), definitions
/// (python_definitions.cpp), and expressions (python_expressions.cpp). Values that are not literals
/// stay unknown.
class PythonReader {
 public:
  PythonReader(std::string_view text, LaunchFile& file);

  /// Adds the settings of the definition with that name. If the name is empty, adds those of the
  /// only definition that sets something, or the file's variables if none does. InputError if
  /// several do.
  void add_settings(std::string_view name);

 private:
  using Found = std::vector<std::pair<std::string, LaunchFile>>;
  /// Settings of each definition with that name, or of all if it is empty; those that set nothing
  /// are left out.
  Found found_settings(std::string_view name);
  [[noreturn]] void fail_several(Found& found) const;

  using Variables = std::map<std::string, PythonValue, std::less<>>;
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  const PythonToken& at(std::size_t token) const { return tokens_[token]; }
  /// Next token, or the one behind the closing bracket if this token opens a bracket.
  std::size_t after(std::size_t token) const { return std::max(token, at(token).partner) + 1; }
  bool is_sign(std::size_t token, std::string_view text) const;
  bool is_name(std::size_t token, std::string_view text) const;
  Location place(std::size_t token) const;
  std::string source(Range) const;
  PythonValue unknown(Range, std::string_view reason) const;
  PythonValue new_object(std::string callee, const Location& place);
  void count_step(std::size_t token);

  // Statements. Each function returns the token behind what it read.
  void find_definitions();
  std::size_t read_definition(std::size_t token);
  void read_parameters(PythonDefinition& definition, Range inside) const;
  std::size_t line_end(std::size_t token) const;
  /// Colon at the end of a definition's or condition's head; the end of its line if it has none.
  std::size_t head_end(std::size_t token) const;
  std::size_t block_end(std::size_t block) const;
  std::size_t run_block(std::size_t token, Variables& variables);
  std::size_t run_statement(std::size_t token, Variables& variables);
  std::size_t run_if(std::size_t token, Variables& variables);
  std::size_t run_line(std::size_t token, Variables& variables);
  std::size_t body_after(std::size_t colon) const;
  /// Makes the variables that the block assigns unknown, because it may or may not run.
  void forget_block(Range block, Variables& variables);
  void assign(Range target, PythonValue value, Variables& variables);

  // Expressions.
  PythonValue expression(Range range, Variables& variables);
  PythonValue binary(Range range, Variables& variables);
  PythonValue logical(Range range, Variables& variables);
  PythonValue postfix(Range range, Variables& variables);
  PythonValue atom(Range range, Variables& variables, std::size_t& end);
  PythonValue list(Range inside, Variables& variables);
  PythonValue dictionary(Range inside, Variables& variables);
  PythonValue attribute(const PythonValue& value, std::string_view name, Range whole) const;
  PythonValue call(const PythonValue& callee, Range inside, Range whole, Variables& variables);
  PythonValue call_own(const PythonDefinition& definition, const PythonObject& arguments,
                       std::size_t token);
  std::optional<std::size_t> find_sign(Range range, const std::vector<std::string_view>& signs,
                                       bool from_right) const;
  std::vector<Range> split(Range range, std::string_view sign) const;

  LaunchFile& file_;
  std::string_view text_;
  std::vector<PythonToken> tokens_;
  std::map<std::string, PythonDefinition, std::less<>> definitions_;
  std::deque<PythonObject> objects_;
  Variables globals_;
  std::optional<PythonValue> returned_;
  std::vector<LaunchUnknown> noted_;  // calls whose effect is not known
  std::size_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace formats
}  // namespace tofn
