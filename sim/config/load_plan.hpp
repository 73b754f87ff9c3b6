#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/parallelism/plan.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace config {

class YamlNode;

/// A split into replicas for any number of accelerators; data parallelism takes the rest.
struct PlanFile {
  std::string name;
  /// Split of one replica and one accumulation step, including the stated settings.
  Plan split{};
  std::optional<int> gradient_accumulation{};  ///< absent: as many as the batch needs
  std::optional<int> micro_batch{};            ///< absent: set by the batch
  RunSettings settings{};                      ///< run settings that the plan states
  std::vector<std::string> stated{};           ///< rows of `visit_plan` that are stated, by name
  /// Fields that are not stated have the defaults of `Plan` and are not searched.
  bool is_whole = false;

  /// True if the search must keep that row, `micro_batch` or `gradient_accumulation`.
  bool fixes(std::string_view name) const;
};

/// Reads a plan's file. Mistakes are InputErrors with file, line and column; `plan_on` checks the
/// rules.
PlanFile read_plan(const YamlNode& root);
/// Reads a plan's file of which no row is required: a search chooses rows that are not stated.
PlanFile read_open_plan(const YamlNode& root);
/// Reads the rows of a plan from a map without `name`.
PlanFile read_plan_rows(const YamlNode&);
/// Copies one row of a plan to another, stated or not.
using TakeRow = std::function<void(PlanFile& to, const PlanFile& from)>;
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
PlanFile load_plan(const std::filesystem::path&);

/// Reads a plan inside another file: one by name or path, or `base` with the rows of a map
/// replaced.
PlanFile read_plan_choice(const YamlNode&, const std::filesystem::path& configs, PlanFile base);

/// Returns the plan on that many accelerators. If the file states a micro-batch but no
/// accumulation, the batch sets the number of steps. InputError if the sizes do not match, and as
/// `make_plan` throws.
Plan plan_on(const PlanFile&, int accelerators, double global_batch);

/// Short word of options and columns, and the key in a plan's file: `tp` is `tensor_parallel`,
/// `sharp` is `settings.in_network_reduction`.
struct PlanKey {
  std::string_view word;
  std::string_view key;
};
const std::vector<PlanKey>& plan_keys();

/// Takes a path (ending in .yaml) or the name of a file of plans/. InputError with the valid names.
PlanFile find_plan(const std::filesystem::path& configs, std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
