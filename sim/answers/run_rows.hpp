#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/answers/runs_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/kernel/kernel_profile.hpp"

namespace tofn {
inline namespace answers {

/// Every row of a table of runs (`runs_answer`) as it is simulated, with its stated goodput; what
/// other runs teach is not in it yet. Unknown columns go to `notes`, and are refused without it.
std::vector<PublishedRun> simulated_runs(const std::filesystem::path& table, Library&,
                                         const KernelProfile&, std::vector<std::string>* notes);

}  // namespace answers
}  // namespace tofn
