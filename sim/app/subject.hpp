#pragma once

#include <string>
#include <vector>

namespace tofn {
inline namespace app {

/// What the first of a command's words is the name or the file of: steps of models come from their
/// dimensions, those of workloads from measured runs; a run is of a model.
struct Subject {
  bool is_run = false;
  bool is_model = false;
  bool is_workload = false;
};
Subject subject_of(const std::vector<std::string>& words);

}  // namespace app
}  // namespace tofn
