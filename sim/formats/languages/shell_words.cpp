#include "sim/formats/languages/shell_words.hpp"

#include <algorithm>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr int deepest_expansion = 64;  // bounds the recursion

bool starts_name(char character) { return is_of_a_word(character) && !is_digit(character); }

}  // namespace

/// Counts nested expansions.
struct ShellWordReader::Depth {
  explicit Depth(ShellWordReader& words) : reader(words) {
    if (++reader.depth_ > deepest_expansion) reader.fail("nested too deeply");
  }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;
  ~Depth() { --reader.depth_; }
  ShellWordReader& reader;
};

bool ShellWordReader::starts_with(std::string_view text) const {
  return sources_.text(at_, std::min<std::size_t>(end_, at_ + text.size())) == text;
}

void ShellWordReader::skip_blanks() {
  while (!is_over()) {
    if (peek() == ' ' || peek() == '\t' || peek() == '\r')
      ++at_;
    else if (starts_with("\\\n"))
      at_ += 2;
    else if (starts_with("\\\r\n"))
      at_ += 3;
    else
      break;
  }
  if (peek() != '#') return;
  while (!is_over() && peek() != '\n') ++at_;
}

bool ShellWordReader::ends_word(bool is_test) const {
  const std::string_view ends = is_test ? " \t\r\n;" : " \t\r\n;&|<>()";
  return is_over() || ends.find(peek()) != std::string_view::npos;
}

ShellWord ShellWordReader::word(bool is_test) {
  ShellWord word{.begin = at_};
  std::uint32_t literal = at_;
  const auto end_literal = [&] { add_literal(word.parts, literal, false); };
  while (!ends_word(is_test)) {
    const char character = peek();
    if (std::string_view("'\"\\$`").find(character) == std::string_view::npos) {
      ++at_;
      continue;
    }
    if (starts_with("\\\n") || starts_with("\\\r\n")) break;
    end_literal();
    word.has_quotes = word.has_quotes || character == '\'' || character == '"';
    if (character == '\'')
      read_single_quoted(word.parts);
    else if (character == '"')
      read_double_quoted(word.parts);
    else if (character == '\\')
      read_escape(word.parts);
    else
      read_dollar(word.parts, false);
    literal = at_;
  }
  end_literal();
  return word;
}

ShellWord ShellWordReader::assigned_word() {
  const std::uint32_t begin = at_;
  std::uint32_t close = at_ + 1;
  while (close < end_ && std::string_view(">\n<").find(sources_[close]) == std::string_view::npos)
    ++close;
  const bool is_placeholder =
      peek() == '<' && starts_name(peek(1)) && close < end_ && sources_[close] == '>';
  if (is_placeholder) at_ = close + 1;
  ShellWord read = word();
  if (is_placeholder)
    read.parts.insert(read.parts.begin(),
                      {.kind = ShellPartKind::Placeholder, .begin = begin, .end = close + 1});
  read.begin = begin;
  return read;
}

ShellWord ShellWordReader::here_document(std::uint32_t begin, std::uint32_t end, bool is_literal) {
  ShellWordReader body(sources_, begin, end);
  ShellWord word{.begin = begin, .has_quotes = true};
  if (is_literal) {
    body.at_ = end;
    body.add_literal(word.parts, begin, true);
  } else {
    body.read_expanding(word.parts, '\0');
  }
  return word;
}

void ShellWordReader::add_literal(std::vector<ShellPart>& parts, std::uint32_t begin,
                                  bool is_quoted) const {
  if (begin < at_)
    parts.push_back(
        {.kind = ShellPartKind::Literal, .is_quoted = is_quoted, .begin = begin, .end = at_});
}

void ShellWordReader::read_single_quoted(std::vector<ShellPart>& parts) {
  const std::uint32_t opening = at_++;
  while (!is_over() && peek() != '\'') ++at_;
  if (is_over()) sources_.fail(opening, "a quote is not closed");
  add_literal(parts, opening + 1, true);
  ++at_;
}

void ShellWordReader::read_double_quoted(std::vector<ShellPart>& parts) {
  const std::uint32_t opening = at_++;
  read_expanding(parts, '"');
  if (is_over()) sources_.fail(opening, "a quote is not closed");
  ++at_;
}

void ShellWordReader::read_expanding(std::vector<ShellPart>& parts, char close) {
  std::uint32_t literal = at_;
  while (!is_over() && (close == '\0' || peek() != close)) {
    const char character = peek();
    if (character != '\\' && character != '$' && character != '`') {
      ++at_;
      continue;
    }
    add_literal(parts, literal, true);
    if (character != '\\') {
      read_dollar(parts, true);
      literal = at_;
      continue;
    }
    // In double quotes, a backslash before any other character stands for itself.
    const bool escapes = std::string_view("$`\"\\\n").find(peek(1)) != std::string_view::npos;
    literal = peek(1) == '\n' ? at_ + 2 : at_ + (escapes ? 1 : 0);
    at_ = std::min(end_, at_ + 2);
  }
  add_literal(parts, literal, true);
}

void ShellWordReader::read_escape(std::vector<ShellPart>& parts) {
  ++at_;
  if (is_over()) return;
  ++at_;
  add_literal(parts, at_ - 1, true);
}

void ShellWordReader::read_dollar(std::vector<ShellPart>& parts, bool is_quoted) {
  const Depth depth(*this);
  ShellPart part{.is_quoted = is_quoted, .begin = at_};
  if (peek() == '`') {
    part.kind = ShellPartKind::Command;
    skip_backquoted();
  } else if (starts_with("$((")) {
    part.kind = ShellPartKind::Arithmetic;
    skip_arithmetic();
  } else if (starts_with("$(")) {
    part.kind = ShellPartKind::Command;
    at_ += 2;
    skip_substitution();
  } else if (starts_with("${")) {
    part.kind = ShellPartKind::Variable;
    read_braced(part);
  } else if (starts_name(peek(1))) {
    part.kind = ShellPartKind::Variable;
    for (++at_; is_of_a_word(peek()); ++at_) part.name += peek();
  } else if (std::string_view("0123456789@*#?$!-").find(peek(1)) != std::string_view::npos &&
             peek(1) != 0) {
    part.kind = ShellPartKind::Variable;
    part.name = peek(1);
    at_ += 2;
  } else {
    ++at_;  // a dollar sign that stands for itself, or before a quote
    const bool is_before_quote = !is_quoted && (peek() == '\'' || peek() == '"');
    if (is_before_quote) return;
  }
  part.end = at_;
  parts.push_back(std::move(part));
}

void ShellWordReader::read_braced(ShellPart& part) {
  const std::uint32_t opening = at_;
  at_ += 2;
  const auto close = [&] {
    if (peek() != '}') sources_.fail(opening, "`${` is not closed");
    ++at_;
  };
  if ((peek() == '#' || peek() == '!') && peek(1) != '}')
    part.operation = std::string("prefix ") + peek(), ++at_;
  if (std::string_view("@*#?$!-").find(peek()) != std::string_view::npos && !is_over()) {
    part.name = peek();
    ++at_;
  } else {
    for (; is_of_a_word(peek()); ++at_) part.name += peek();
  }
  if (part.name.empty()) sources_.fail(opening, "this shell syntax is not understood");
  if (peek() == '[') {
    for (++at_; !is_over() && peek() != ']' && peek() != '\n'; ++at_) part.index += peek();
    if (peek() != ']') sources_.fail(opening, "`${` is not closed");
    ++at_;
  }
  if (peek() != '}') read_operand(part);
  close();
}

void ShellWordReader::read_operand(ShellPart& part) {
  if (peek() == ':' && std::string_view("-=+?").find(peek(1)) != std::string_view::npos) {
    part.operation += std::string(":") + peek(1);
    at_ += 2;
  } else {
    part.operation += peek();
    ++at_;
  }
  std::uint32_t literal = at_;
  while (!is_over() && peek() != '}') {
    const char character = peek();
    if (std::string_view("'\"\\$`").find(character) == std::string_view::npos) {
      ++at_;
      continue;
    }
    add_literal(part.operand, literal, part.is_quoted);
    if (character == '\'' && !part.is_quoted)
      read_single_quoted(part.operand);
    else if (character == '"')
      read_double_quoted(part.operand);
    else if (character == '\\')
      read_escape(part.operand);
    else if (character == '\'')
      ++at_, add_literal(part.operand, at_ - 1, true);
    else
      read_dollar(part.operand, part.is_quoted);
    literal = at_;
  }
  add_literal(part.operand, literal, part.is_quoted);
}

void ShellWordReader::skip_backquoted() {
  const std::uint32_t opening = at_++;
  while (!is_over() && peek() != '`') at_ += peek() == '\\' ? 2 : 1;
  if (is_over()) sources_.fail(opening, "a quote is not closed");
  ++at_;
}

void ShellWordReader::skip_arithmetic() {
  const std::uint32_t opening = at_;
  at_ += 3;
  for (int open = 2; open > 0; ++at_) {
    if (is_over()) sources_.fail(opening, "`$((` is not closed");
    open += (peek() == '(') - (peek() == ')');
  }
}

/// Skips `$(` up to the bracket that closes it; brackets in quotes do not count.
void ShellWordReader::skip_substitution() {
  const Depth depth(*this);
  const std::uint32_t opening = at_ - 2;
  std::vector<ShellPart> inside;
  for (int open = 1; open > 0;) {
    if (is_over()) sources_.fail(opening, "`$(` is not closed");
    const char character = peek();
    if (character == '\'')
      read_single_quoted(inside);
    else if (character == '"')
      read_double_quoted(inside);
    else if (character == '\\')
      at_ = std::min(end_, at_ + 2);
    else
      open += (character == '(') - (character == ')'), ++at_;
  }
}

}  // namespace formats
}  // namespace tofn
