#include "sim/yaml/yaml_document.hpp"

#include <cstddef>
#include <optional>

#include <fmt/format.h>

#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/utf8.hpp"
#include "sim/yaml/file_format.hpp"

namespace tofn {
inline namespace yaml {
namespace {

std::map<std::string, std::string, std::less<>> find_sources(const YamlDocument& document) {
  std::map<std::string, std::string, std::less<>> sources;
  for (const YamlEntry& entry : document.root.entries) {
    if (entry.key != "sources") continue;
    const auto fail = [&](int line, int column, std::string_view problem) {
      throw InputError({document.file, line, column}, "sources", problem);
    };
    if (entry.value.kind != YamlKind::Map)
      fail(entry.value.line, entry.value.column, "expected a map");
    for (const auto& [tag, line, column, reference] : entry.value.entries) {
      if (tag == "assumed") fail(line, column, "'assumed' is built in");
      if (reference.kind != YamlKind::Scalar || reference.text.empty())
        fail(line, column, fmt::format("'{}' needs a reference as text", shortened(tag)));
      sources.emplace(tag, reference.text);
    }
  }
  return sources;
}

}  // namespace

YamlDocument parse_yaml(std::string_view text, std::string file_name) {
  YamlDocument document = parse_old_yaml(text, std::move(file_name));
  bring_up_to_date(document);
  return document;
}

YamlDocument parse_old_yaml(std::string_view text, std::string file_name) {
  check_text(text, file_name);
  YamlDocument document{.file = std::move(file_name), .root = {}, .sources = {}};
  document.root = parse_tree(without_byte_order_mark(text), document.file);
  if (document.root.kind == YamlKind::Nothing)
    throw InputError({.file = document.file}, {}, "is empty");
  document.sources = find_sources(document);
  return document;
}

TaggedText split_tags(const YamlValue& scalar) {
  const std::string_view text = scalar.text;
  const std::size_t bracket = text.rfind(" [");
  if (scalar.is_quoted || !text.ends_with(']') || bracket == std::string_view::npos)
    return {text, std::nullopt};
  const std::string_view before = text.substr(0, bracket);
  return {before.substr(0, before.find_last_not_of(' ') + 1),
          text.substr(bracket + 2, text.size() - bracket - 3)};
}

}  // namespace yaml
}  // namespace tofn
