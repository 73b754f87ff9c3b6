#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/parallelism/stated_plan.hpp"

namespace tofn {
inline namespace yaml {
class YamlNode;
}
inline namespace config {

/// Reads a plan's file. Mistakes are InputErrors with file, line and column; `plan_on` checks the
/// rules.
StatedPlan read_plan(const YamlNode& root);
/// Reads a plan's file of which no row is required: a search chooses rows that are not stated.
StatedPlan read_open_plan(const YamlNode& root);
/// Reads the rows of a plan from a map without `name`.
StatedPlan read_plan_rows(const YamlNode&);
/// Copies one row of a plan to another, stated or not.
using TakeRow = std::function<void(StatedPlan& to, const StatedPlan& from)>;
/// Returns the function for a row's key, such as `tensor_parallel`; empty if the key is not a
/// row's, for example one of the settings.
TakeRow taking_row(std::string_view key);
/// Returns lines with this indent that `read_plan_rows` reads back, without sizes that follow from
/// accelerators and batch.
std::string plan_yaml(const Plan&, std::string_view indent);
/// Returns a file that `read_plan` reads back; `origin`: a line on how the plan was chosen.
std::string plan_file_yaml(const Plan&, std::string_view name, std::string_view origin);
/// Reads a plan's file by path. InputError at the file's first line if it breaks a rule for every
/// number of accelerators (`check_plan`).
StatedPlan load_plan(const std::filesystem::path&);

/// Reads a plan inside another file: one by name or path, or `base` with the rows of a map
/// replaced.
StatedPlan read_plan_choice(const YamlNode&, const std::filesystem::path& configs, StatedPlan base);

/// Short word of options and columns, and the key in a plan's file: `tp` is `tensor_parallel`,
/// `sharp` is `settings.in_network_reduction`.
struct PlanKey {
  std::string_view word;
  std::string_view key;
};
const std::vector<PlanKey>& plan_keys();

/// Takes a path (ending in .yaml) or the name of a file of plans/. InputError with the valid names.
StatedPlan find_plan(const std::filesystem::path& configs, std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
