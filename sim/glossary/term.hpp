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

/// A word that no other table explains. Add one in the file of its group: a row.
struct WrittenTerm {
  std::string_view name;
  std::string_view definition;
  std::string_view formula{};  ///< as the code computes it; laws have theirs in `scaling/law.cpp`
  std::string_view source{};   ///< paper or document with its year, and the file in sim/
  std::string_view printed{};  ///< columns that state it, separated by spaces
  std::string_view set_by{};   ///< keys (`plan:schedule`) and options (`--stack`), likewise
  std::string_view related{};  ///< names of other terms, separated by commas
  std::string_view also{};     ///< other names, likewise
};
struct WrittenGroup {
  std::string_view name;
  std::span<const WrittenTerm> terms;
};
/// Every group. Add one in written_terms.cpp: a row, and a file beside the others.
std::span<const WrittenGroup> written_groups();

extern const std::span<const WrittenTerm> terms_of_parallelism;
extern const std::span<const WrittenTerm> terms_of_schedules;
extern const std::span<const WrittenTerm> terms_of_collectives;
extern const std::span<const WrittenTerm> terms_of_algorithms;
extern const std::span<const WrittenTerm> terms_of_steps;
extern const std::span<const WrittenTerm> terms_of_machines;
extern const std::span<const WrittenTerm> terms_of_runs;
extern const std::span<const WrittenTerm> terms_of_scaling;
extern const std::span<const WrittenTerm> terms_of_evidence;

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
