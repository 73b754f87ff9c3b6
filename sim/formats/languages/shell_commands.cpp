#include <algorithm>
#include <cctype>

#include "sim/core/words.hpp"
#include "sim/formats/languages/shell_parser.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

std::string source_text(const ShellWord& word, const ShellSources& sources) {
  std::string text;
  for (const ShellPart& part : word.parts) text += sources.text(part.begin, part.end);
  return text;
}

bool is_shell_declaration(std::string_view command) {
  return is_any_of(command, {"export", "declare", "local", "readonly", "typeset"});
}

std::string_view ShellParser::bare_word() const {
  std::uint32_t length = 0;
  while (std::isalpha(static_cast<unsigned char>(reader_.peek(length))) != 0 ||
         std::string_view("{}![").find(reader_.peek(length)) != std::string_view::npos)
    if (reader_.peek(length) == '\0' || ++length > 8) break;
  const char next = reader_.peek(length);
  const bool is_whole =
      next == '\0' || std::string_view(" \t\r\n;&|<>()").find(next) != std::string_view::npos;
  return is_whole ? sources_.text(reader_.at(), reader_.at() + length) : std::string_view();
}

bool ShellParser::take(std::string_view text) {
  if (!reader_.starts_with(text)) return false;
  reader_.move_to(reader_.at() + static_cast<std::uint32_t>(text.size()));
  return true;
}

bool ShellParser::at_end_of_command() const {
  return reader_.is_over() ||
         std::string_view("\n;&|)").find(reader_.peek()) != std::string_view::npos;
}

ShellWord ShellParser::next_word() {
  const std::uint32_t begin = reader_.at();
  ShellWord word = reader_.word();
  if (reader_.at() == begin) reader_.fail("this shell syntax is not understood");
  return word;
}

ShellNode ShellParser::simple(std::uint32_t begin) {
  ShellNode node{.kind = ShellNodeKind::Simple, .begin = begin};
  if (bare_word() == "function") {
    take("function");
    reader_.skip_blanks();
  }
  for (reader_.skip_blanks();; reader_.skip_blanks()) {
    if (read_redirect(node)) continue;
    if (at_end_of_command()) return node;
    const bool assigns = node.words.empty() || is_shell_declaration(literal(node.words.front()));
    if (assigns && read_assignment(node)) continue;
    if (reader_.peek() == '(' && node.words.size() == 1) return function(node);
    node.words.push_back(next_word());
    if (bare_word() == "{" && sources_.text(begin, begin + 8) == "function") return function(node);
  }
}

ShellNode ShellParser::function(const ShellNode& named) {
  const std::uint32_t opening = reader_.at();
  if (take("(")) {
    reader_.skip_blanks();
    if (!take(")")) sources_.fail(opening, "this shell syntax is not understood");
  }
  skip_line_ends();
  ShellNode node{.kind = ShellNodeKind::Function, .begin = named.begin};
  node.name = literal(named.words.front());
  node.body.push_back(guarded([&] { return command(); }));
  return node;
}

std::optional<std::pair<std::string, bool>> ShellParser::assigned_name() const {
  std::uint32_t length = 0;
  while (is_of_a_word(reader_.peek(length))) ++length;
  const bool is_added = reader_.peek(length) == '+' && reader_.peek(length + 1) == '=';
  if (length == 0 || is_digit(reader_.peek())) return {};
  if (!is_added && reader_.peek(length) != '=') return {};
  return std::pair(std::string(sources_.text(reader_.at(), reader_.at() + length)), is_added);
}

bool ShellParser::read_assignment(ShellNode& node) {
  const auto named = assigned_name();
  if (!named) return false;
  const auto& [name, is_added] = *named;
  ShellAssignment assignment{.name = name, .begin = reader_.at(), .is_added = is_added};
  reader_.move_to(reader_.at() + static_cast<std::uint32_t>(name.size()) + (is_added ? 2 : 1));
  if (reader_.peek() == '(') {
    assignment.is_array = true;
    read_array(assignment);
  } else {
    assignment.values.push_back(reader_.assigned_word());
  }
  node.assignments.push_back(std::move(assignment));
  return true;
}

void ShellParser::read_array(ShellAssignment& assignment) {
  const std::uint32_t opening = reader_.at();
  take("(");
  for (;;) {
    skip_line_ends();
    if (reader_.is_over()) sources_.fail(opening, "`(` is not closed");
    if (take(")")) return;
    assignment.values.push_back(next_word());
  }
}

void ShellParser::read_redirects(ShellNode& node) {
  for (reader_.skip_blanks(); read_redirect(node); reader_.skip_blanks()) {
  }
}

bool ShellParser::read_redirect(ShellNode& node) {
  const std::uint32_t begin = reader_.at();
  std::uint32_t digits = 0;
  while (is_digit(reader_.peek(digits))) ++digits;
  reader_.move_to(begin + digits);
  for (const std::string_view operation :
       {"&>>", "&>", "<<<", "<<-", "<<", "<(", ">(", "<&", "<>", "<", ">>", ">&", ">|", ">"}) {
    if (digits > 0 && operation.front() == '&') continue;
    if (!take(operation)) continue;
    if (operation.back() == '(') sources_.fail(begin, "this shell syntax is not understood");
    reader_.skip_blanks();
    ShellRedirect redirect{.operation = std::string(operation), .target = next_word()};
    if (operation == "<<" || operation == "<<-")
      announce_here_document(node, std::move(redirect));
    else
      node.redirects.push_back(std::move(redirect));
    return true;
  }
  reader_.move_to(begin);
  return false;
}

void ShellParser::announce_here_document(ShellNode& node, ShellRedirect redirect) {
  const std::string delimiter = literal(redirect.target);
  const bool is_literal = redirect.target.has_quotes;
  std::uint32_t begin = here_end_;
  if (begin <= reader_.at()) {
    begin = reader_.at();
    while (begin < end_ && sources_[begin] != '\n') ++begin;
    ++begin;
  }
  const bool drops_tabs = redirect.operation == "<<-";
  for (std::uint32_t line = begin;;) {
    if (line >= end_) reader_.fail("the here-document is not closed");
    std::uint32_t line_end = line;
    while (line_end < end_ && sources_[line_end] != '\n') ++line_end;
    std::string_view text = sources_.text(line, line_end);
    if (text.ends_with('\r')) text.remove_suffix(1);
    if (drops_tabs) text.remove_prefix(std::min(text.find_first_not_of('\t'), text.size()));
    here_end_ = line_end + 1;
    if (text == delimiter) {
      redirect.body = reader_.here_document(begin, line, is_literal);
      node.redirects.push_back(std::move(redirect));
      return;
    }
    line = line_end + 1;
  }
}

void ShellParser::read_here_documents() {
  if (here_end_ > reader_.at()) reader_.move_to(std::min(here_end_, end_));
}

}  // namespace formats
}  // namespace tofn
