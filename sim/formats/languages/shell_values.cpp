#include "sim/formats/languages/shell_values.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

bool is_blank(char character) {
  return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

/// Splits an expansion into words at blanks that are not quoted.
void split_into(std::vector<Glyphs>& fields, const Glyphs& glyphs, bool keeps_empty) {
  Glyphs field;
  bool has_field = keeps_empty;
  for (const Glyph& glyph : glyphs) {
    if (glyph.unknown == 0 && !glyph.is_solid && is_blank(glyph.character)) {
      if (!field.empty()) fields.push_back(std::move(field));
      field.clear();
      has_field = false;
      continue;
    }
    field.push_back(glyph);
    has_field = true;
  }
  if (has_field) fields.push_back(std::move(field));
}

}  // namespace

std::vector<Glyphs> ShellExpander::fields(const ShellWord& word) {
  std::vector<Glyphs> fields;
  Glyphs open;  // start of the word that the next part continues
  for (const ShellPart& part : word.parts) {
    if (part.kind != ShellPartKind::Variable || part.index != "@" || !part.operation.empty()) {
      append_part(open, part);
      continue;
    }
    const std::vector<Glyphs> items = elements(part);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) {
        split_into(fields, open, part.is_quoted);
        open.clear();
      }
      for (Glyph glyph : items[i]) {
        glyph.is_solid = part.is_quoted;
        append(open, {glyph});
      }
    }
  }
  split_into(fields, open, word.has_quotes && !open.empty());
  const bool is_empty_text =
      word.has_quotes && fields.empty() &&
      std::ranges::none_of(word.parts, [](const ShellPart& part) { return part.index == "@"; });
  if (is_empty_text) fields.emplace_back();
  return fields;
}

Glyphs ShellExpander::text(const ShellWord& word) {
  Glyphs text = join(word.parts);
  for (Glyph& glyph : text) glyph.is_solid = false;
  return text;
}

Glyphs ShellExpander::join(const std::vector<ShellPart>& parts) {
  Glyphs joined;
  for (const ShellPart& part : parts) append_part(joined, part);
  return joined;
}

void ShellExpander::append(Glyphs& to, const Glyphs& from) {
  if (from.empty()) return;
  sources_.spend(from.size(), from.front().at);
  to.insert(to.end(), from.begin(), from.end());
}

void ShellExpander::append_part(Glyphs& to, const ShellPart& part) {
  if (part.kind == ShellPartKind::Literal) {
    Glyphs literal;
    for (std::uint32_t at = part.begin; at < part.end; ++at)
      literal.push_back(sources_.glyph(at, true));
    append(to, literal);
    return;
  }
  Glyphs value = part.kind == ShellPartKind::Variable     ? variable(part)
                 : part.kind == ShellPartKind::Arithmetic ? arithmetic(part)
                 : part.kind == ShellPartKind::Placeholder
                     ? unknown(part, "a placeholder that is to be filled in")
                     : unknown(part, "a command's output");
  for (Glyph& glyph : value) glyph.is_solid = glyph.is_solid || part.is_quoted;
  append(to, value);
}

Glyphs ShellExpander::unknown(const ShellPart& part, std::string_view reason) {
  return {
      sources_.add_unknown(std::string(sources_.text(part.begin, part.end)), reason, part.begin)};
}

const ShellValue* ShellExpander::find(const ShellPart& part) const {
  const auto found = variables_.find(part.name);
  return found == variables_.end() ? nullptr : &found->second;
}

std::vector<Glyphs> ShellExpander::elements(const ShellPart& part) {
  const ShellValue* value = find(part);
  if (value != nullptr) return value->items;
  if (unset_is_empty_) return {};
  return {unknown(part, fmt::format("{} is not set here", part.name))};
}

std::optional<Glyphs> ShellExpander::indexed(const ShellPart& part, const ShellValue& value) {
  Glyphs items;
  if (part.index == "@" || part.index == "*") {
    for (std::size_t i = 0; i < value.items.size(); ++i) {
      if (i > 0) append(items, {{' ', false, 0, part.begin}});
      append(items, value.items[i]);
    }
    return items;
  }
  if (!std::ranges::all_of(part.index, is_digit)) return std::nullopt;
  const std::size_t index = part.index.empty() ? 0 : std::strtoull(part.index.c_str(), nullptr, 10);
  if (index < value.items.size()) append(items, value.items[index]);
  return items;
}

Glyphs ShellExpander::variable(const ShellPart& part) {
  const std::string& operation = part.operation;
  if (part.name == "#") return {{'0', false, 0, part.begin}};
  if (operation.starts_with("prefix")) return unknown(part, "this expansion is not understood");
  const ShellValue* value = find(part);
  Glyphs set;
  if (value != nullptr) {
    auto items = indexed(part, *value);
    if (!items) return unknown(part, "this expansion is not understood");
    set = std::move(*items);
  }
  const bool has_value = operation.starts_with(':') ? !set.empty() : value != nullptr;
  if (operation == "-" || operation == ":-" || operation == "=" || operation == ":=")
    return has_value ? set : join(part.operand);
  if (operation == "+" || operation == ":+") return has_value ? join(part.operand) : Glyphs{};
  if (!operation.empty() && operation != "?" && operation != ":?")
    return unknown(part, "this expansion is not understood");
  if (value == nullptr && !unset_is_empty_) {
    const bool is_argument = part.name.find_first_not_of("0123456789@*") == std::string::npos;
    return unknown(part, is_argument ? std::string("an argument of the script")
                                     : fmt::format("{} is not set here", part.name));
  }
  return set;
}

Glyphs ShellExpander::arithmetic(const ShellPart& part) {
  const std::string_view inside = sources_.text(part.begin + 3, part.end - 2);
  const auto value = shell_arithmetic(inside, variables_);
  if (!value) return unknown(part, "it does not come out as a number");
  Glyphs digits;
  for (const char digit : fmt::format("{}", *value)) {
    Glyph glyph = sources_.glyph(part.begin, false);
    glyph.character = digit;
    glyph.unknown = 0;
    digits.push_back(glyph);
  }
  return digits;
}

std::optional<std::string> known_text(const Glyphs& glyphs) {
  std::string text;
  for (const Glyph& glyph : glyphs) {
    if (glyph.unknown > 0) return std::nullopt;
    text += glyph.character;
  }
  return text;
}

bool fits_pattern(std::string_view text, std::string_view pattern) {
  std::size_t at = 0, sign = 0, star = std::string_view::npos, retry = 0;
  while (at < text.size()) {
    if (sign < pattern.size() && pattern[sign] == '*') {
      star = sign++;
      retry = at;
    } else if (sign < pattern.size() && (pattern[sign] == '?' || pattern[sign] == text[at])) {
      ++sign;
      ++at;
    } else if (star != std::string_view::npos) {
      sign = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', sign) == std::string_view::npos;
}

}  // namespace formats
}  // namespace tofn
