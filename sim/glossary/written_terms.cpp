#include <string>

#include <yaml-cpp/yaml.h>

#include "sim/glossary/term.hpp"

namespace tofn {
namespace assets {
extern const std::string_view terms;  // terms.yaml
}  // namespace assets
inline namespace glossary {
namespace {

WrittenTerm term_in(const std::string& name, const YAML::Node& fields) {
  const auto text = [&](const char* field) { return fields[field].as<std::string>(""); };
  return {.name = name,
          .definition = text("definition"),
          .formula = text("formula"),
          .source = text("source"),
          .printed = text("printed"),
          .set_by = text("set_by"),
          .related = text("related"),
          .also = text("also")};
}

std::vector<WrittenGroup> groups_in(std::string_view yaml) {
  std::vector<WrittenGroup> groups;
  for (const auto& group : YAML::Load(std::string(yaml))) {
    groups.push_back({.name = group.first.as<std::string>(), .terms = {}});
    for (const auto& term : group.second)
      groups.back().terms.push_back(term_in(term.first.as<std::string>(), term.second));
  }
  return groups;
}

}  // namespace

const std::vector<WrittenGroup>& written_groups() {
  static const std::vector<WrittenGroup> groups = groups_in(assets::terms);
  return groups;
}

std::vector<WrittenColumn> written_columns() {
  std::vector<WrittenColumn> all;
  for (const auto& rows :
       {columns_of_lists, columns_of_jobs, columns_of_validations, columns_of_text})
    all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

}  // namespace glossary
}  // namespace tofn
