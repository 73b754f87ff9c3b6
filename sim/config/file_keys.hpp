#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace config {

/// A key of a kind of file, as `tofn list fields` prints it.
struct FileKey {
  std::string kind;
  std::string key;            ///< dotted; `phases[].batch` of each entry of a list
  std::string value;          ///< its unit, or the valid choices
  std::string default_value;  ///< `required` if there is none; may be empty
  std::string meaning;
};

/// Returns the keys of each kind of file whose keys are rows, by kind in reading order, or of one
/// kind only. InputError with the valid kinds.
std::vector<FileKey> file_keys(std::string_view kind = {});

// Each function adds the keys of one kind, from the rows that read it.
void list_launcher_keys(std::vector<FileKey>&);
void list_plan_keys(std::vector<FileKey>&);
void list_quote_keys(std::vector<FileKey>&);
void list_run_keys(std::vector<FileKey>&);
void list_stack_keys(std::vector<FileKey>&);
void list_workload_keys(std::vector<FileKey>&);

}  // namespace config
}  // namespace tofn
