#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/blocks/formats.hpp"
#include "sim/core/rows.hpp"
#include "sim/report/records.hpp"
#include "sim/sweep/point.hpp"

namespace tofn {

/// What is known of only one kind of sweep.
enum class ColumnOf { Both, Models, Workloads };

/// One figure of a point, to be asked for once the point's stage was worked out.
struct PointColumn : Column<Point> {
  template <class Figure>
  PointColumn(std::string name_, std::string_view meaning_, CellType type_, Stage stage_,
              ColumnOf of_, Figure figure)
      : Column(std::move(name_), figure), meaning(meaning_), type(type_), stage(stage_), of(of_) {}

  std::string_view meaning;
  CellType type;
  Stage stage;
  ColumnOf of;
};

/// Every figure. Add one here: a row.
std::span<const PointColumn> point_columns();

/// By name, of a sweep of models or of workloads; nullptr if there is none.
const PointColumn* find_column(std::string_view name, bool of_models);
std::vector<std::string> column_names(bool of_models);

/// What a sweep shows that asks for nothing.
std::vector<std::string> usual_columns(bool of_models);

}  // namespace tofn
