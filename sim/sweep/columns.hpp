#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/blocks/formats.hpp"
#include "sim/core/records.hpp"
#include "sim/sweep/point.hpp"

namespace tofn {

/// What is known of only one kind of sweep.
enum class ColumnOf { Both, Models, Workloads };

/// One figure of a point.
struct PointColumn {
  std::string_view name;  ///< with its unit
  std::string_view meaning;
  CellType type = CellType::Number;
  Stage stage = Stage::Time;
  ColumnOf of = ColumnOf::Both;
  std::function<Value(const Point&)> value;  ///< once the point's stage was worked out
};

/// Every figure. Add one here: a row.
std::span<const PointColumn> point_columns();

/// By name, of a sweep of models or of workloads; nullptr if there is none.
const PointColumn* find_column(std::string_view name, bool of_models);
std::vector<std::string> column_names(bool of_models);

/// What a sweep shows that asks for nothing.
std::vector<std::string> usual_columns(bool of_models);

}  // namespace tofn
