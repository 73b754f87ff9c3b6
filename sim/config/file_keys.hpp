#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {

/// Returns the keys of each kind of file whose keys are rows, by kind in reading order, or of one
/// kind only. InputError with the valid kinds, to which the caller adds `others`.
std::vector<FileKey> file_keys(std::string_view kind = {}, std::vector<std::string> others = {});

// Each function adds the keys of one kind, from the rows that read it.
void list_model_keys(std::vector<FileKey>&);
void list_plan_keys(std::vector<FileKey>&);
void list_price_list_keys(std::vector<FileKey>&);
void list_quote_keys(std::vector<FileKey>&);
void list_record_keys(std::vector<FileKey>&);
void list_run_keys(std::vector<FileKey>&);
void list_stack_keys(std::vector<FileKey>&);
void list_workload_keys(std::vector<FileKey>&);

}  // namespace config
}  // namespace tofn
