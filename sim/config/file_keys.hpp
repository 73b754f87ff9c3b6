#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace config {

/// A key of a kind of file, as `tofn list fields` has it.
struct FileKey {
  std::string kind;
  std::string key;            ///< dotted; `phases[].batch` of each entry of a list
  std::string value;          ///< its unit, or what to choose from
  std::string default_value;  ///< `required` where there is none; empty: nothing is stated
  std::string meaning;
};

/// Those of each kind of file whose keys are rows, by kind in order of reading; of one kind where
/// it is named. InputError with the valid kinds.
std::vector<FileKey> file_keys(std::string_view kind = {});

// Each adds the keys of one kind, from the rows that read it.
void list_launcher_keys(std::vector<FileKey>&);
void list_plan_keys(std::vector<FileKey>&);
void list_quote_keys(std::vector<FileKey>&);
void list_run_keys(std::vector<FileKey>&);
void list_stack_keys(std::vector<FileKey>&);

}  // namespace config
}  // namespace tofn
