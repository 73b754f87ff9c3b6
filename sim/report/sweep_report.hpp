#pragma once

#include <string>

#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// The first rows of a sweep as a table, and what became of its points.
std::string sweep_text(const std::string& title, const Records&, const std::string& summary);

}  // namespace report
}  // namespace tofn
