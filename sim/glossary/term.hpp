#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/table_columns.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace glossary {

/// A word or figure with its explanation; members that do not apply are empty.
struct Term {
  std::string name;
  std::string group;  ///< `figure`, `key of plan files`, `collectives`, ...
  std::string definition;
  std::string formula{};
  std::string unit{};
  std::string source{};
  std::string used{};  ///< commands that print it, and settings that set it
  std::vector<std::string> related{};
  std::vector<std::string> also{};  ///< other names
};

/// A word that no other table explains, from terms.yaml, which describes its fields.
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

/// Columns of a table that a command prints.
struct CommandColumns {
  std::string_view command;
  std::vector<ColumnWords> columns;
};
/// Columns of every table that is made of rows (`Columns`, `TableColumns`), except for the figures
/// of `tofn list figures`: as the reports list them for an answer without rows.
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
/// Every key of these files. To add one, add a row in machine_keys.cpp.
std::span<const MachineKey> machine_keys();

/// Unit in lists and column of a key that is a row. For other keys, `unit` lists the choices.
struct KeyForm {
  std::string unit;
  std::string column;
};
/// Forms by `cluster:network.latency`.
std::map<std::string, KeyForm, std::less<>> machine_key_forms();

/// Keys of files of a cluster or of an accelerator, with their units; empty for other kinds.
std::vector<FileKey> machine_file_keys(std::string_view kind);

}  // namespace glossary
}  // namespace tofn
