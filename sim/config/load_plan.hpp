#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/workload/run_settings.hpp"

namespace tofn {

/// How replicas are split, whatever the number of accelerators: data parallelism takes the rest.
struct PlanFile {
  std::string name;
  int tensor_parallel_size = 1;
  int context_parallel_size = 1;
  std::optional<int> gradient_accumulation;  ///< absent: as many steps as the batch needs
  RunSettings settings;                      ///< what the plan states of the run
};

/// Mistakes are InputErrors at file, line and column.
PlanFile load_plan(const std::filesystem::path&);

/// Those below plans/ of a configs folder, in order of name; none where there is no such folder.
std::vector<std::filesystem::path> plan_files(const std::filesystem::path& configs);

/// A path (it ends in .yaml), or the name of a file of plans/. InputError with the valid names.
PlanFile find_plan(const std::filesystem::path& configs, std::string_view name_or_file);

}  // namespace tofn
