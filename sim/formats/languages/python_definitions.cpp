#include <utility>

#include "sim/formats/languages/python_reader.hpp"

namespace tofn {
inline namespace formats {

/// Finds the definitions at the top level of the file; nested ones are not called by their name
/// alone.
void PythonReader::find_definitions() {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < tokens_.size(); ++i) {
    depth += (at(i).kind == PythonKind::Indent) - (at(i).kind == PythonKind::Dedent);
    const bool starts_line = i == 0 || at(i - 1).kind == PythonKind::LineEnd ||
                             at(i - 1).kind == PythonKind::Dedent || is_name(i - 1, "async");
    if (depth == 0 && starts_line && (is_name(i, "def") || is_name(i, "class"))) read_definition(i);
  }
}

std::size_t PythonReader::read_definition(std::size_t token) {
  PythonDefinition definition{
      .name = at(token + 1).text, .is_class = is_name(token, "class"), .line = at(token).line};
  std::size_t colon = token + 2;
  if (is_sign(colon, "(")) {
    const std::size_t close = at(colon).partner;
    if (!definition.is_class) read_parameters(definition, {colon + 1, close});
    colon = close + 1;
  }
  colon = head_end(colon);
  definition.body = body_after(colon);
  const std::string name = definition.name;
  definitions_.insert_or_assign(name, std::move(definition));
  return colon;
}

void PythonReader::read_parameters(PythonDefinition& definition, Range inside) const {
  bool is_by_keyword = false;
  for (const Range& part : split(inside, ",")) {
    is_by_keyword = is_by_keyword || is_sign(part.begin, "*");
    if (part.begin == part.end || at(part.begin).kind != PythonKind::Name) continue;
    const auto sign = find_sign(part, {"="}, false);
    definition.parameters.push_back(
        {at(part.begin).text, sign ? *sign + 1 : 0, sign ? part.end : 0, is_by_keyword});
  }
}

std::size_t PythonReader::line_end(std::size_t token) const {
  while (at(token).kind != PythonKind::LineEnd && at(token).kind != PythonKind::End)
    token = after(token);
  return token;
}

std::size_t PythonReader::head_end(std::size_t token) const {
  while (!is_sign(token, ":") && at(token).kind != PythonKind::LineEnd &&
         at(token).kind != PythonKind::End)
    token = after(token);
  return token;
}

/// First token of the block after a colon: the rest of the line, or the first line below it.
std::size_t PythonReader::body_after(std::size_t colon) const {
  if (at(colon).kind == PythonKind::End) return colon;
  std::size_t token = colon + 1;
  if (at(token).kind == PythonKind::LineEnd) ++token;
  return token;
}

/// Token behind the block that begins there.
std::size_t PythonReader::block_end(std::size_t block) const {
  if (at(block).kind != PythonKind::Indent) {
    const std::size_t end = line_end(block);
    return at(end).kind == PythonKind::End ? end : end + 1;
  }
  int depth = 0;
  for (std::size_t i = block; at(i).kind != PythonKind::End; ++i) {
    depth += (at(i).kind == PythonKind::Indent) - (at(i).kind == PythonKind::Dedent);
    if (depth == 0) return i + 1;
  }
  return tokens_.size() - 1;
}

}  // namespace formats
}  // namespace tofn
