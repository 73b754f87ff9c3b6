#include "sim/formats/languages/python_reader.hpp"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/names.hpp"
#include "sim/core/utf8.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::array<std::string_view, 11> skipped_statements{
    "import",   "from",  "pass",  "assert",   "del",  "global",
    "nonlocal", "raise", "break", "continue", "yield"};
constexpr std::array<std::string_view, 7> conditional_blocks{"for",  "while", "except", "finally",
                                                             "else", "match", "elif"};

bool is_listed(std::span<const std::string_view> names, const PythonToken& token) {
  return token.kind == PythonKind::Name && is_any_of(token.text, names);
}

}  // namespace

PythonReader::PythonReader(std::string_view text, LaunchFile& file)
    : file_(file), text_(without_byte_order_mark(text)), tokens_(python_tokens(text_, file.path)) {
  find_definitions();
}

bool PythonReader::is_sign(std::size_t token, std::string_view text) const {
  return at(token).kind == PythonKind::Sign && at(token).text == text;
}

bool PythonReader::is_name(std::size_t token, std::string_view text) const {
  return at(token).kind == PythonKind::Name && at(token).text == text;
}

Location PythonReader::place(std::size_t token) const {
  return {file_.path, at(token).line, at(token).column};
}

std::string PythonReader::source(Range range) const {
  if (range.begin >= range.end) return {};
  const std::size_t begin = at(range.begin).begin;
  return std::string(text_.substr(begin, at(range.end - 1).end - begin));
}

PythonValue PythonReader::unknown(Range range, std::string_view reason) const {
  return python_unknown(source(range), std::string(reason), place(range.begin));
}

PythonValue PythonReader::new_object(std::string callee, const Location& place) {
  objects_.push_back({.callee = std::move(callee)});
  return {.kind = PythonValueKind::Object, .place = place, .object = &objects_.back()};
}

void PythonReader::count_step(std::size_t token) {
  constexpr std::size_t most = 200'000;  // of functions that call functions
  if (++steps_ > most) throw InputError(place(token), {}, "the file goes on and on");
}

std::size_t PythonReader::run_block(std::size_t block, Variables& variables) {
  const std::size_t end = block_end(block);
  std::size_t token = at(block).kind == PythonKind::Indent ? block + 1 : block;
  while (token < end && at(token).kind != PythonKind::Dedent && !returned_)
    token = run_statement(token, variables);
  return end;
}

std::size_t PythonReader::run_statement(std::size_t token, Variables& variables) {
  count_step(token);
  const PythonToken& first = at(token);
  if (first.kind == PythonKind::LineEnd || first.kind == PythonKind::Indent ||
      first.kind == PythonKind::Dedent)
    return token + 1;
  if (is_name(token, "if")) return run_if(token, variables);
  const bool is_definition =
      is_name(token, "def") || is_name(token, "class") || is_name(token, "async");
  const bool is_condition = is_listed(conditional_blocks, first);
  if (is_definition || is_condition || is_name(token, "with") || is_name(token, "try")) {
    const std::size_t colon = head_end(token);
    const std::size_t body = body_after(colon);
    if (is_name(token, "with") || is_name(token, "try")) return run_block(body, variables);
    const std::size_t end = block_end(body);
    if (is_condition) forget_block({body, end}, variables);
    return std::max(end, token + 1);
  }
  return run_line(token, variables);
}

/// Runs a branch if its condition is a literal that holds. Branches with unknown conditions make
/// what they assign unknown.
std::size_t PythonReader::run_if(std::size_t token, Variables& variables) {
  bool is_decided = false;
  for (;;) {
    const bool has_condition = !is_name(token, "else");
    const std::size_t colon = head_end(token + 1);
    const std::size_t body = body_after(colon);
    const std::size_t end = std::max(block_end(body), token + 1);
    const PythonValue condition = has_condition ? expression({token + 1, colon}, variables)
                                                : python_literal("true", place(token));
    const bool is_known = condition.kind == PythonValueKind::Literal;
    const bool holds =
        is_known && (condition.is_text ? !condition.text.empty()
                                       : condition.text != "false" && condition.text != "null" &&
                                             condition.text != "0");
    if (!is_decided && !is_known) {
      forget_block({body, end}, variables);
    } else if (!is_decided && holds) {
      run_block(body, variables);
      is_decided = true;
    }
    if (!is_name(end, "elif") && !is_name(end, "else")) return end;
    token = end;
  }
}

void PythonReader::forget_block(Range block, Variables& variables) {
  for (std::size_t i = block.begin; i < block.end;) {
    if (at(i).kind != PythonKind::Name) {
      ++i;
      continue;
    }
    const std::size_t end = std::min(line_end(i), block.end);
    const auto sign = find_sign({i, end}, {"="}, false);
    const std::string reason = "a condition or a loop decides";
    if (sign)
      assign({i, *sign}, unknown({i, end}, reason), variables);
    else if (is_name(i, "return") && end > i + 1)
      noted_.push_back({"", source({i, end}), reason, place(i)});
    i = std::max(end, i + 1);
  }
}

/// Runs an assignment, a `return`, or an expression.
std::size_t PythonReader::run_line(std::size_t token, Variables& variables) {
  const std::size_t end = line_end(token);
  const std::size_t next = at(end).kind == PythonKind::End ? end : end + 1;
  if (is_sign(token, "@") || is_listed(skipped_statements, at(token))) return next;
  if (is_name(token, "return")) {
    returned_ = end > token + 1 ? expression({token + 1, end}, variables)
                                : python_literal("null", place(token));
    return next;
  }
  const auto sign = find_sign({token, end}, {"="}, true);
  if (!sign) {
    if (const auto added = find_sign({token, end}, {"+=", "-=", "*=", "/=", "|="}, false))
      assign({token, *added}, unknown({token, end}, "not a literal"), variables);
    else if (token < end && at(token).kind == PythonKind::Name)
      expression({token, end}, variables);
    return next;
  }
  const PythonValue value = expression({*sign + 1, end}, variables);
  for (const Range& target : split({token, *sign}, "=")) {
    const auto annotation = find_sign(target, {":"}, false);
    assign({target.begin, annotation ? *annotation : target.end}, value, variables);
  }
  return next;
}

/// Assigns to `a`, or to `a.b.c`, and creates its objects if needed.
void PythonReader::assign(Range target, PythonValue value, Variables& variables) {
  if (target.begin >= target.end || at(target.begin).kind != PythonKind::Name) return;
  const std::string root = at(target.begin).text;
  if (target.end == target.begin + 1) {
    variables.insert_or_assign(root, std::move(value));
    return;
  }
  for (std::size_t i = target.begin + 1; i < target.end; i += 2)
    if (!is_sign(i, ".") || i + 1 >= target.end || at(i + 1).kind != PythonKind::Name) {
      noted_.push_back({"", source(target), "this assignment is not understood", value.place});
      return;
    }
  PythonValue& variable = variables[root];
  PythonValue* holder = &variable;
  for (std::size_t i = target.begin; i + 2 < target.end; i += 2) {
    if (i > target.begin) {
      PythonObject& object = *holder->object;
      if (object.find(at(i).text) == nullptr) object.set(at(i).text, {});
      holder = object.find(at(i).text);
    }
    if (holder->kind != PythonValueKind::Object) *holder = new_object("", place(target.begin));
  }
  value.place = place(target.begin);
  holder->object->set(at(target.end - 1).text, std::move(value));
}

PythonReader::Found PythonReader::found_settings(std::string_view name) {
  Found found;
  for (const auto& [defined, definition] : definitions_) {
    if (!name.empty() && defined != name) continue;
    noted_.clear();
    LaunchFile read{.path = file_.path};
    const PythonValue value = call_own(definition, {}, definition.body);
    if (value.kind == PythonValueKind::Object) add_python_settings("", value, read);
    for (LaunchUnknown& note : noted_) read.not_understood.push_back(std::move(note));
    if (!read.settings.empty()) found.emplace_back(defined, std::move(read));
  }
  return found;
}

void PythonReader::fail_several(Found& found) const {
  const auto line = [&](const auto& each) { return definitions_.find(each.first)->second.line; };
  std::ranges::sort(found,
                    [&](const auto& one, const auto& other) { return line(one) < line(other); });
  std::vector<std::string> names;
  for (const auto& [defined, read] : found) names.push_back(defined);
  throw InputError({.file = file_.path}, {},
                   fmt::format("it defines {} configurations: name one as {}:{}; there are {}",
                               found.size(), file_.path, names.front(), choices(names)));
}

void PythonReader::add_settings(std::string_view name) {
  for (std::size_t token = 0; at(token).kind != PythonKind::End;)
    token = run_statement(token, globals_);
  returned_.reset();
  std::vector<std::string> names;
  for (const auto& [defined, definition] : definitions_) names.push_back(defined);
  if (!name.empty() && !definitions_.contains(name))
    throw InputError({.file = file_.path}, {}, unknown_name("function", name, names));
  Found found = found_settings(name);
  if (found.size() > 1) fail_several(found);
  noted_.clear();
  LaunchFile read{.path = file_.path};
  if (found.empty())
    for (const auto& [variable, value] : globals_)
      if (value.kind == PythonValueKind::Object) add_python_settings("", value, read);
  if (!found.empty()) read = std::move(found.front().second);
  if (read.settings.empty())
    throw InputError({.file = file_.path}, {},
                     "nothing in it sets anything: `cfg.a = 8`, `Config(a=8)`");
  file_.settings = std::move(read.settings);
  file_.not_understood = std::move(read.not_understood);
}

void read_python_settings(std::string_view text, std::string_view name, LaunchFile& file) {
  PythonReader(text, file).add_settings(name);
}

}  // namespace formats
}  // namespace tofn
