#pragma once

#include <string_view>

#include "sim/launch/shell_syntax.hpp"

namespace tofn {
inline namespace launch {

/// Reads the words of a script: quotes, expansions, and where each ends.
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

  /// Over blanks, comments and lines that go on.
  void skip_blanks();
  /// A word; without parts where none stands here. In a test, `<` and brackets are of the word.
  ShellWord word(bool is_test = false);
  /// What stands behind `NAME=`: a word, before which a script to be filled in may have
  /// `<Specify path>`.
  ShellWord assigned_word();
  /// The text of a here-document, whose expansions count where its end is not quoted.
  ShellWord here_document(std::uint32_t begin, std::uint32_t end, bool is_literal);

 private:
  struct Depth;
  void add_literal(std::vector<ShellPart>& parts, std::uint32_t begin, bool is_quoted) const;
  void read_single_quoted(std::vector<ShellPart>& parts);
  void read_double_quoted(std::vector<ShellPart>& parts);
  /// What stands in double quotes and here-documents up to `close`, or the end.
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

}  // namespace launch
}  // namespace tofn
