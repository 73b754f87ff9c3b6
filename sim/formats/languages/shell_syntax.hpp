#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/formats/languages/shell_text.hpp"

namespace tofn {
inline namespace formats {

enum class ShellPartKind {
  Literal,
  Variable,
  Arithmetic,
  Command,
  Placeholder,  ///< `<Specify path>`
};

/// Piece of a word, from `begin` to `end` of the sources.
struct ShellPart {
  ShellPartKind kind = ShellPartKind::Literal;
  bool is_quoted = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string name{};                ///< of a variable: `TP`, `1`, `@`
  std::string index{};               ///< index of an array: `@`, `*`, `0`
  std::string operation{};           ///< `:-`, `+`; others are not understood
  std::vector<ShellPart> operand{};  ///< word behind the operation
};

struct ShellWord {
  std::uint32_t begin = 0;
  bool has_quotes = false;  ///< true if it stays a word even when empty
  std::vector<ShellPart> parts{};
};

struct ShellAssignment {
  std::string name{};
  std::uint32_t begin = 0;
  bool is_added = false;  ///< true for `+=`
  bool is_array = false;
  std::vector<ShellWord> values{};  ///< elements of an array; otherwise one
};

/// Redirection such as `> file`, with the text below the line for `<<EOF`.
struct ShellRedirect {
  std::string operation{};  ///< `>`, `<<`, ...
  ShellWord target{};
  ShellWord body{};  ///< text of a here-document
};

enum class ShellNodeKind { Simple, Sequence, Either, Not, If, Case, For, While, Function };

/// Command, or block of commands.
struct ShellNode {
  /// Arm of an `if` or a `case`.
  struct Arm {
    std::vector<ShellNode> condition{};  ///< for `if`; empty for `else`
    std::vector<ShellWord> patterns{};   ///< for `case`
    std::vector<ShellNode> body{};
  };

  ShellNodeKind kind = ShellNodeKind::Simple;
  std::uint32_t begin = 0;
  // Members of a simple command.
  std::vector<ShellAssignment> assignments{};
  std::vector<ShellWord> words{};
  std::vector<ShellRedirect> redirects{};
  // Members of the other kinds.
  bool is_or = false;                  ///< Either: true for `||`, false for `&&`
  std::string name{};                  ///< of a function or a loop's variable; `while` or `until`
  std::vector<ShellNode> body{};       ///< Sequence, Either (two), Not, loops, functions
  std::vector<ShellNode> condition{};  ///< While
  std::vector<Arm> arms{};             ///< If, Case
  ShellWord subject{};                 ///< Case
};

using ShellNodes = std::vector<ShellNode>;

/// Source text of a word, without expanding anything.
std::string source_text(const ShellWord& word, const ShellSources& sources);
/// True for commands whose words are assignments: `export`, `declare`, ...
bool is_shell_declaration(std::string_view command);

/// Parses the commands of a script from `begin` to `end` of the sources. Throws InputError if a
/// quote or a block is not closed, or if the syntax is not understood.
ShellNodes parse_shell(const ShellSources& sources, std::uint32_t begin, std::uint32_t end);

}  // namespace formats
}  // namespace tofn
