#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace glossary {

/// A word or figure with all that is told of it; what does not apply is empty.
struct Term {
  std::string name;
  std::string group;  ///< `figure`, `key of plan files`, `collectives`, ...
  std::string definition;
  std::string formula{};
  std::string unit{};
  std::string source{};
  std::string used{};  ///< what prints it, and what sets it
  std::vector<std::string> related{};
  std::vector<std::string> also{};  ///< other names
};

/// A word that no other table explains, a row of terms.yaml; its fields are described there.
struct WrittenTerm {
  std::string name;
  std::string definition;
  std::string formula{};
  std::string source{};
  std::string printed{};
  std::string set_by{};
  std::string related{};
  std::string also{};
};
struct WrittenGroup {
  std::string name;
  std::vector<WrittenTerm> terms;
};
/// Every group of terms.yaml.
const std::vector<WrittenGroup>& written_groups();

/// A column of CSV and JSON, or a head of a table for people, that `tofn list figures` does not
/// have. `*` in a name stands for any text: `knee_*_between`.
struct WrittenColumn {
  std::string_view name;
  std::string_view commands;
  std::string_view meaning;
};
/// Every such column. Add one in the file of its commands: a row.
std::vector<WrittenColumn> written_columns();

extern const std::span<const WrittenColumn> columns_of_lists;
extern const std::span<const WrittenColumn> columns_of_jobs;
extern const std::span<const WrittenColumn> columns_of_validations;
extern const std::span<const WrittenColumn> columns_of_text;

/// A key of files of clusters or accelerators.
struct MachineKey {
  std::string_view kind;  ///< `cluster` or `accelerator`
  std::string_view key;
  std::string_view meaning;
};
/// Every key of them. Add one in machine_keys.cpp: a row.
std::span<const MachineKey> machine_keys();

}  // namespace glossary
}  // namespace tofn
