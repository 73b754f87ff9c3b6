#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tofn {
inline namespace app {

/// Kind of thing that a job's name or file means. Steps of models, and of runs of models, are
/// predicted from dimensions, and those of workloads from measured runs.
struct Subject {
  bool is_run = false;
  bool is_model = false;
  bool is_workload = false;
};
/// Kind of a name or file. InputError with the valid names if a name is unknown.
Subject subject_of(const std::string& name, const std::filesystem::path& configs);
/// Kind of the job that is a command's first word; none if that word is an option.
Subject subject_of(const std::vector<std::string>& words);

}  // namespace app
}  // namespace tofn
