#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/published/published_table.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace published {

struct Series {
  std::vector<ScalingPoint> points;
  std::vector<std::string> remarks;
};

/// Reads a series with columns `accelerators` and `minutes` or `seconds` (others are ignored):
/// ascending sizes, each once, at least two. InputError at the first bad cell.
Series read_series(const std::filesystem::path&);

/// Time of one system of a series.
struct NamedTime {
  std::string name;  ///< `organisation/system`
  ScalingPoint point;
};

/// Median time of each size, ascending.
std::vector<ScalingPoint> medians_by_size(const std::vector<NamedTime>&);

}  // namespace published
}  // namespace tofn
