#include "sim/formats/languages/python_tokens.hpp"

#include <array>

#include "sim/core/utf8.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

class PythonLexer {
 public:
  PythonLexer(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  std::vector<PythonToken> read() {
    while (at_ < text_.size()) {
      if (at_line_start_ && open_.empty() && !read_indent()) continue;
      read_token();
    }
    if (!open_.empty()) fail(tokens_[open_.back()], "a bracket is not closed");
    if (!tokens_.empty()) add(PythonKind::LineEnd, at_);
    for (; indents_.size() > 1; indents_.pop_back()) add(PythonKind::Dedent, at_);
    add(PythonKind::End, at_);
    return std::move(tokens_);
  }

 private:
  [[noreturn]] void fail(const PythonToken& token, std::string_view problem) const {
    throw InputError({file_, token.line, token.column}, {}, problem);
  }

  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  /// Makes a token. Tokens come in order, so that the characters of a line are counted only once.
  PythonToken token(PythonKind kind, std::size_t begin) {
    if (counted_ < line_start_ || counted_ > begin) {
      counted_ = line_start_;
      column_ = 1;
    }
    column_ += character_count(text_.substr(counted_, begin - counted_));
    counted_ = begin;
    return {.kind = kind,
            .text = std::string(text_.substr(begin, at_ - begin)),
            .begin = begin,
            .end = at_,
            .line = line_,
            .column = static_cast<int>(column_)};
  }
  void add(PythonKind kind, std::size_t begin) { tokens_.push_back(token(kind, begin)); }

  static bool is_of_a_name(char c) {
    return is_of_a_word(c) || static_cast<unsigned char>(c) >= 0x80;
  }

  void start_line() {
    ++at_;
    ++line_;
    line_start_ = at_;
  }

  /// Reads the indentation of a line with code. False if the line has no code and is over.
  bool read_indent() {
    std::size_t width = 0;
    for (; peek() == ' ' || peek() == '\t'; ++at_) width += peek() == '\t' ? 8 - width % 8 : 1;
    if (peek() == '\r') ++at_;
    if (peek() == '#')
      while (at_ < text_.size() && peek() != '\n') ++at_;
    if (at_ >= text_.size()) return false;
    if (peek() == '\n') {
      start_line();
      return false;
    }
    at_line_start_ = false;
    constexpr std::size_t deepest = 64;
    if (width > indents_.back()) {
      indents_.push_back(width);
      add(PythonKind::Indent, at_);
      if (indents_.size() > deepest) fail(tokens_.back(), "nested too deeply");
    }
    for (; width < indents_.back(); indents_.pop_back()) add(PythonKind::Dedent, at_);
    if (width != indents_.back()) fail(token(PythonKind::Sign, at_), "the block does not line up");
    return true;
  }

  void read_token() {
    const char character = peek();
    if (character == '\n') {
      read_line_end();
    } else if (character == ' ' || character == '\t' || character == '\r' || character == '\f') {
      ++at_;
    } else if (character == '#') {
      while (at_ < text_.size() && peek() != '\n') ++at_;
    } else if (character == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
      at_ += peek(1) == '\r' ? 2 : 1;
      start_line();
    } else if (is_digit(character) || (character == '.' && is_digit(peek(1)))) {
      read_number();
    } else if (is_of_a_name(character)) {
      read_name();
    } else if (character == '"' || character == '\'') {
      read_text(at_, false, false);
    } else {
      read_sign();
    }
  }

  void read_line_end() {
    if (open_.empty()) {
      add(PythonKind::LineEnd, at_);
      at_line_start_ = true;
    }
    start_line();
  }

  void read_number() {
    const std::size_t begin = at_;
    while (is_of_a_word(peek()) || peek() == '.' ||
           ((peek() == '+' || peek() == '-') && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') &&
            at_ > begin && text_.substr(begin, 2) != "0x"))
      ++at_;
    add(PythonKind::Number, begin);
    std::erase(tokens_.back().text, '_');
  }

  void read_name() {
    const std::size_t begin = at_;
    while (is_of_a_name(peek())) ++at_;
    const std::string_view name = text_.substr(begin, at_ - begin);
    const bool is_prefix =
        name.size() <= 2 && name.find_first_not_of("rRbBuUfF") == std::string_view::npos;
    if (is_prefix && (peek() == '"' || peek() == '\''))
      read_text(begin, name.find_first_of("rR") != std::string_view::npos,
                name.find_first_of("fF") != std::string_view::npos);
    else
      add(PythonKind::Name, begin);
  }

  void read_text(std::size_t begin, bool is_raw, bool is_formatted) {
    PythonToken text = token(is_formatted ? PythonKind::FormattedText : PythonKind::Text, begin);
    const char quote = peek();
    const bool is_long = peek(1) == quote && peek(2) == quote;
    at_ += is_long ? 3 : 1;
    text.text.clear();
    for (;;) {
      if (at_ >= text_.size() || (!is_long && peek() == '\n')) fail(text, "a quote is not closed");
      if (peek() == quote && (!is_long || (peek(1) == quote && peek(2) == quote))) break;
      read_character(text.text, is_raw);
    }
    at_ += is_long ? 3 : 1;
    text.end = at_;
    tokens_.push_back(std::move(text));
  }

  /// Reads a character with the backslash before it. A backslash at the end of a line drops both.
  void read_character(std::string& text, bool is_raw) {
    if (peek() == '\\' && at_ + 1 < text_.size()) {
      if (is_raw) text += '\\';
      ++at_;
      if (peek() == '\n' && !is_raw) return start_line();
    }
    text += peek();
    if (peek() == '\n')
      start_line();
    else
      ++at_;
  }

  void read_sign() {
    const std::size_t begin = at_;
    static constexpr std::array<std::string_view, 20> signs{
        "**=", "//=", ">>=", "<<=", "...", "->", ":=", "==", "!=", "<=",
        ">=",  "**",  "//",  "+=",  "-=",  "*=", "/=", "|=", "&=", "%="};
    at_ += 1;
    for (const std::string_view sign : signs)
      if (text_.substr(begin).starts_with(sign)) {
        at_ = begin + sign.size();
        break;
      }
    add(PythonKind::Sign, begin);
    const std::string& sign = tokens_.back().text;
    constexpr std::size_t deepest = 64;
    if (sign == "(" || sign == "[" || sign == "{") {
      open_.push_back(tokens_.size() - 1);
      if (open_.size() > deepest) fail(tokens_.back(), "nested too deeply");
    } else if (sign == ")" || sign == "]" || sign == "}") {
      if (open_.empty()) fail(tokens_.back(), "no bracket is open");
      tokens_[open_.back()].partner = tokens_.size() - 1;
      open_.pop_back();
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::size_t counted_ = 0;  // offset up to which `column_` is counted
  std::size_t column_ = 1;
  int line_ = 1;
  bool at_line_start_ = true;
  std::vector<PythonToken> tokens_;
  std::vector<std::size_t> open_;  // indices of open brackets in `tokens_`
  std::vector<std::size_t> indents_{0};
};

}  // namespace

std::vector<PythonToken> python_tokens(std::string_view text, const std::string& file) {
  return PythonLexer(text, file).read();
}

}  // namespace formats
}  // namespace tofn
