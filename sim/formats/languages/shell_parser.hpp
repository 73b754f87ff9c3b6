#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "sim/formats/languages/shell_words.hpp"

namespace tofn {
inline namespace formats {

/// Parses the commands of a script: blocks (shell_blocks.cpp) and their contents
/// (shell_commands.cpp).
class ShellParser {
 public:
  ShellParser(const ShellSources& sources, std::uint32_t begin, std::uint32_t end)
      : sources_(sources), reader_(sources, begin, end), end_(end) {}
  ShellNodes script();

 private:
  static constexpr int deepest_block = 64;  // bounds the recursion

  /// Source text of the word that starts here, if it could be a reserved word; otherwise empty.
  std::string_view bare_word() const;
  bool take(std::string_view text);

  /// Skips blanks, line ends and semicolons between commands.
  void skip_separators();

  /// Reads commands up to one of the reserved words, which stays unread.
  ShellNodes list(std::initializer_list<std::string_view> ends);
  void expect(std::string_view word, std::uint32_t opening, std::string_view what);
  ShellNode either();
  void skip_line_ends();
  ShellNode pipeline();
  ShellNode command();
  ShellNode block(std::string_view word, std::uint32_t begin);
  template <class Action>
  ShellNode guarded(const Action& action) {
    if (++depth_ > deepest_block) reader_.fail("nested too deeply");
    ShellNode node = action();
    --depth_;
    return node;
  }
  ShellNode if_block(std::uint32_t begin);
  ShellNode case_block(std::uint32_t begin);
  ShellNode for_block(std::uint32_t begin);
  ShellNode while_block(std::uint32_t begin, std::string_view word);
  ShellNode group(std::uint32_t begin, std::string_view open, std::string_view close);

  /// Skips `(( ... ))`, whose status stays unknown.
  ShellNode arithmetic(std::uint32_t begin);

  /// Reads `[[ ... ]]`, whose operators are words.
  ShellNode test(std::uint32_t begin);
  bool at_end_of_command() const;
  ShellWord next_word();

  /// Reads a command of assignments, words and redirections; or a function, if it defines one.
  ShellNode simple(std::uint32_t begin);
  ShellNode function(const ShellNode& named);

  /// Name of the `NAME=` or `NAME+=` that starts here, and true for `+=`; absent if none does.
  std::optional<std::pair<std::string, bool>> assigned_name() const;
  bool read_assignment(ShellNode& node);
  void read_array(ShellAssignment& assignment);
  void read_redirects(ShellNode& node);
  bool read_redirect(ShellNode& node);

  /// Reads the text below the line at once; it is skipped when the line ends.
  void announce_here_document(ShellNode& node, ShellRedirect redirect);
  void read_here_documents();
  std::string literal(const ShellWord& word) const { return source_text(word, sources_); }
  const ShellSources& sources_;
  ShellWordReader reader_;
  std::uint32_t end_;
  std::uint32_t here_end_ = 0;  // offset behind the here-documents of the line
  int depth_ = 0;
};

}  // namespace formats
}  // namespace tofn
