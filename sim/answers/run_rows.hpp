#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/answers/runs_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/kernel/kernel_profile.hpp"

namespace tofn {
inline namespace answers {

/// Simulates every row of a table of runs (`runs_answer`) and adds its stated goodput. Nothing is
/// fitted to other runs here. Unknown columns are reported in `notes`; InputError at one if it is
/// null.
std::vector<PublishedRun> simulated_runs(const std::filesystem::path& table, Library&,
                                         const KernelProfile&, std::vector<std::string>* notes);

}  // namespace answers
}  // namespace tofn
