#include <string>

#include "sim/glossary/term.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
namespace assets {
extern const std::string_view terms;  // terms.yaml
}  // namespace assets
inline namespace glossary {
namespace {

WrittenTerm term_in(const std::string& name, const YamlNode& node) {
  WrittenTerm term{.name = name, .definition = {}};
  node.fields()
      .required("definition", term.definition)
      .optional("formula", term.formula)
      .optional("source", term.source)
      .optional("printed", term.printed)
      .optional("set_by", term.set_by)
      .optional("related", term.related)
      .optional("also", term.also)
      .done();
  return term;
}

std::vector<WrittenGroup> groups_in(std::string_view yaml) {
  std::vector<WrittenGroup> groups;
  for (const auto& [name, terms] : YamlNode::parse(std::string(yaml), "terms.yaml").entries()) {
    WrittenGroup& group = groups.emplace_back(WrittenGroup{.name = name, .terms = {}});
    for (const auto& [term, fields] : terms.entries()) group.terms.push_back(term_in(term, fields));
  }
  return groups;
}

}  // namespace

const std::vector<WrittenGroup>& written_groups() {
  static const std::vector<WrittenGroup> groups = groups_in(assets::terms);
  return groups;
}

}  // namespace glossary
}  // namespace tofn
