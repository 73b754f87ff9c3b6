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

/// How replicas are split, whatever the number of accelerators: data parallelism takes the rest.
struct PlanFile {
  std::string name;
  /// Of one replica and one accumulation step. What the settings state holds here too.
  Plan split{};
  std::optional<int> gradient_accumulation{};  ///< absent: as many steps as the batch needs
  std::optional<int> micro_batch{};            ///< absent: what the batch leaves
  RunSettings settings{};                      ///< what the plan states of the run
  std::vector<std::string> stated{};           ///< rows of `visit_plan` that are stated, by name
  bool is_whole = false;  ///< a file's: what it does not state is as `Plan` has it, not free

  /// Whether that row, `micro_batch` or `gradient_accumulation` is not to be chosen.
  bool fixes(std::string_view name) const;
};

/// Mistakes are InputErrors at file, line and column. `plan_on` checks its rules.
PlanFile read_plan(const YamlNode& root);
/// The same where rows that are not stated are free to be chosen: none is required.
PlanFile read_open_plan(const YamlNode& root);
/// As `read_plan`, of a map without `name`.
PlanFile read_plan_rows(const YamlNode&);
/// Makes a plan have what another one states, or leaves out, in one row.
using TakeRow = std::function<void(PlanFile& to, const PlanFile& from)>;
/// By the row's key, such as `tensor_parallel`; empty where it is no row's, as that of settings.
TakeRow taking_row(std::string_view key);
/// What `read_plan_rows` reads back, as lines with this indent; sizes that accelerators and batch
/// give are left out.
std::string plan_yaml(const Plan&, std::string_view indent);
/// The file of a plan, which `read_plan` reads back; `origin`: how it was chosen, a line.
std::string plan_file_yaml(const Plan&, std::string_view name, std::string_view origin);
/// As above, and rules that no number of accelerators can keep (`check_plan`) are refused at the
/// file's first line.
PlanFile load_plan(const std::filesystem::path&);

/// A plan where another file names one or states some of its rows: the plan of that name or file,
/// or `base` with what the map says in its place.
PlanFile read_plan_choice(const YamlNode&, const std::filesystem::path& configs, PlanFile base);

/// The plan on so many accelerators. Where the file states a micro-batch but no accumulation, the
/// steps that the batch needs. InputError where they do not work out, and as `make_plan`.
Plan plan_on(const PlanFile&, int accelerators, double global_batch);

/// What options and columns call by a word, and where a plan's file states it: `tp` is
/// `tensor_parallel`, `sharp` is `settings.in_network_reduction`.
struct PlanKey {
  std::string_view word;
  std::string_view key;
};
const std::vector<PlanKey>& plan_keys();

/// A path (it ends in .yaml), or the name of a file of plans/. InputError with the valid names.
PlanFile find_plan(const std::filesystem::path& configs, std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
