#pragma once

#include <filesystem>
#include <vector>

#include "sim/evidence/shipped.hpp"
#include "sim/published/metered_runs.hpp"

namespace tofn {
inline namespace answers {

/// The metered runs of a table with predictions of their time and power. InputError if the table,
/// or a round of published results that it names, cannot be read.
std::vector<MeteredRun> energy_answer(Shipped&, const std::filesystem::path& table);

}  // namespace answers
}  // namespace tofn
