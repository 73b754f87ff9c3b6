#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tofn {
inline namespace app {

/// What a job is the name or the file of: steps of models come from their dimensions, those of
/// workloads from measured runs; a run is of a model.
struct Subject {
  bool is_run = false;
  bool is_model = false;
  bool is_workload = false;
};
/// InputError with the valid names if it is neither.
Subject subject_of(const std::string& name, const std::filesystem::path& configs);
/// Of the job that a command's first word is; neither where that is an option.
Subject subject_of(const std::vector<std::string>& words);

}  // namespace app
}  // namespace tofn
