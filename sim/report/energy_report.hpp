#pragma once

#include <string>
#include <vector>

#include "sim/core/records.hpp"
#include "sim/published/metered_runs.hpp"

namespace tofn {
inline namespace report {

/// A line a metered run: energy and power, metered and predicted.
std::string energy_text(const std::vector<MeteredRun>&);
Records energy_records(const std::vector<MeteredRun>&);

}  // namespace report
}  // namespace tofn
