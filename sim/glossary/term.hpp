#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/table_columns.hpp"

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

/// The columns of a table that a command prints.
struct CommandColumns {
  std::string_view command;
  std::vector<ColumnWords> columns;
};
/// Of every table whose columns are rows (`Columns`, `TableColumns`), but for the figures that
/// `tofn list figures` has: as the reports have them of an answer without rows.
std::vector<CommandColumns> columns_of_tables();

/// A column, or a head of a table for people, of tables that are not made of rows. `*` in a name
/// stands for any text: `knee_*_between`.
struct WrittenColumn {
  std::string_view name;
  std::string_view commands;
  std::string_view meaning;
};
std::span<const WrittenColumn> written_columns();

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
