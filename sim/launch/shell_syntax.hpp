#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/launch/shell_text.hpp"

namespace tofn {
inline namespace launch {

enum class ShellPartKind {
  Literal,
  Variable,
  Arithmetic,
  Command,
  Placeholder,  ///< `<Specify path>`
};

/// A piece of a word, from `begin` to `end` of the sources.
struct ShellPart {
  ShellPartKind kind = ShellPartKind::Literal;
  bool is_quoted = false;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  std::string name{};                ///< of a variable: `TP`, `1`, `@`
  std::string index{};               ///< `@`, `*`, `0` of an array
  std::string operation{};           ///< `:-`, `+`; another one is not understood
  std::vector<ShellPart> operand{};  ///< of the operation
};

struct ShellWord {
  std::uint32_t begin = 0;
  bool has_quotes = false;  ///< it stays a word where nothing is in it
  std::vector<ShellPart> parts{};
};

struct ShellAssignment {
  std::string name{};
  std::uint32_t begin = 0;
  bool is_added = false;  ///< `+=`
  bool is_array = false;
  std::vector<ShellWord> values{};  ///< of an array; else one
};

/// `> file`, and the text that stands below a `<<EOF`.
struct ShellRedirect {
  std::string operation{};  ///< `>`, `<<`, ...
  ShellWord target{};
  ShellWord body{};  ///< of a here-document
};

enum class ShellNodeKind { Simple, Sequence, Either, Not, If, Case, For, While, Function };

/// A command, or a block of commands.
struct ShellNode {
  /// One arm of an `if` or a `case`.
  struct Arm {
    std::vector<ShellNode> condition{};  ///< of an `if`; empty: else
    std::vector<ShellWord> patterns{};   ///< of a `case`
    std::vector<ShellNode> body{};
  };

  ShellNodeKind kind = ShellNodeKind::Simple;
  std::uint32_t begin = 0;
  // Of a simple command.
  std::vector<ShellAssignment> assignments{};
  std::vector<ShellWord> words{};
  std::vector<ShellRedirect> redirects{};
  // Of the others.
  bool is_or = false;                  ///< Either: `||`; else `&&`
  std::string name{};                  ///< of a function, of a loop's variable
  std::vector<ShellNode> body{};       ///< Sequence, Either (two), Not, loops, functions
  std::vector<ShellNode> condition{};  ///< While
  std::vector<Arm> arms{};             ///< If, Case
  ShellWord subject{};                 ///< Case
};

using ShellNodes = std::vector<ShellNode>;

/// The commands of a script from `begin` to `end` of the sources. Throws InputError at a quote or a
/// block that is not closed, and at syntax that is not understood.
ShellNodes parse_shell(const ShellSources& sources, std::uint32_t begin, std::uint32_t end);

}  // namespace launch
}  // namespace tofn
