#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/axis.hpp"
#include "sim/sweep/request.hpp"

namespace tofn {

/// Text of a sweep file and where it stands.
struct Stated {
  std::string text;
  Location location{};
};

/// `least minutes` or `most samples_per_s`.
struct Goal {
  std::string column;
  bool is_least = true;
  Location location{};
};

/// Which points are kept of all: the first by one goal, or those that no other beats in all goals.
struct Selection {
  std::vector<Goal> goals;    ///< one where `top` is given
  std::optional<int> top;     ///< absent: the Pareto front
  std::vector<Stated> apart;  ///< columns: one selection for each of their values
};

/// A what-if study: one base, and axes along which it is varied.
struct Sweep {
  std::filesystem::path file;
  std::string name;
  std::string title;
  Request base;
  std::vector<AxisGroup> groups;  ///< crossed; the last one varies fastest
  std::vector<Stated> constraints;
  std::vector<Stated> columns;  ///< beside the axes; empty: the usual ones
  std::optional<Selection> select;

  std::vector<const Axis*> axes() const;
  /// Points of the whole grid.
  std::uint64_t points() const;
};

/// Mistakes are InputErrors at file, line and column. What paths, columns and constraints mean is
/// checked where they are used (`PointMaker`).
Sweep load_sweep(const std::filesystem::path&);

}  // namespace tofn
