#include "tests/fuzz/yaml_text.hpp"

#include "sim/yaml/read_in.hpp"

namespace tofn::fuzz {
namespace {

constexpr std::size_t blanks = 2;

void write(const YamlValue& value, std::size_t depth, std::string& text);

void write_below(const YamlValue& value, std::size_t depth, std::string& text) {
  const bool is_tree = !value.items.empty() || !value.entries.empty();
  text += is_tree ? '\n' : ' ';
  write(value, depth, text);
}

void write(const YamlValue& value, std::size_t depth, std::string& text) {
  const std::string indent(blanks * depth, ' ');
  switch (value.kind) {
    case YamlKind::Nothing:
      text += '\n';
      return;
    case YamlKind::Scalar:
      text += (value.is_quoted ? yaml_text(value.text) : value.text) + '\n';
      return;
    case YamlKind::List:
      if (value.items.empty()) text += "[]\n";
      for (const YamlValue& item : value.items) {
        text += indent + '-';
        write_below(item, depth + 1, text);
      }
      return;
    case YamlKind::Map:
      if (value.entries.empty()) text += "{}\n";
      for (const YamlEntry& entry : value.entries) {
        text += indent + entry.key + ':';
        write_below(entry.value, depth + 1, text);
      }
      return;
  }
}

}  // namespace

std::string yaml_text_of(const YamlValue& root) {
  std::string text;
  write(root, 0, text);
  return text;
}

}  // namespace tofn::fuzz
