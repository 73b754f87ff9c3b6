#pragma once

#include <string_view>

#include "sim/formats/languages/shell_syntax.hpp"

namespace tofn {
inline namespace formats {

/// Reads the words of a script with their quotes and expansions, and finds where each ends.
class ShellWordReader {
 public:
  ShellWordReader(const ShellSources& sources, std::uint32_t begin, std::uint32_t end)
      : sources_(sources), at_(begin), end_(end) {}

  std::uint32_t at() const { return at_; }
  void move_to(std::uint32_t at) { at_ = at; }
  bool is_over() const { return at_ >= end_; }
  char peek(std::uint32_t ahead = 0) const {
    return at_ + ahead < end_ ? sources_[at_ + ahead] : '\0';
  }
  bool starts_with(std::string_view text) const;
  [[noreturn]] void fail(std::string_view problem) const { sources_.fail(at_, problem); }

  /// Skips blanks, escaped line ends and comments.
  void skip_blanks();
  /// Reads a word; it has no parts if none starts here. In a test, `<` and brackets belong to the
  /// word.
  ShellWord word(bool is_test = false);
  /// Reads the value behind `NAME=`. In a template, a placeholder such as `<Specify path>` may
  /// stand before it.
  ShellWord assigned_word();
  /// Reads the text of a here-document; it expands nothing if `is_literal`, because its delimiter
  /// is quoted.
  ShellWord here_document(std::uint32_t begin, std::uint32_t end, bool is_literal);

 private:
  struct Depth;
  void add_literal(std::vector<ShellPart>& parts, std::uint32_t begin, bool is_quoted) const;
  /// Reads a quoted text, an escape or an expansion. Inside double quotes, a single quote stands
  /// for itself.
  void read_special(std::vector<ShellPart>& parts, bool is_quoted);
  void read_single_quoted(std::vector<ShellPart>& parts);
  void read_double_quoted(std::vector<ShellPart>& parts);
  /// Reads the inside of double quotes up to `close`; if that is 0, a here-document to its end.
  void read_expanding(std::vector<ShellPart>& parts, char close);
  void read_dollar(std::vector<ShellPart>& parts, bool is_quoted);
  void read_braced(ShellPart& part);
  void read_operand(ShellPart& part);
  void read_escape(std::vector<ShellPart>& parts);
  void skip_substitution();
  void skip_backquoted();
  void skip_arithmetic();
  bool ends_word(bool is_test) const;

  const ShellSources& sources_;
  std::uint32_t at_;
  std::uint32_t end_;
  int depth_ = 0;
};

}  // namespace formats
}  // namespace tofn
