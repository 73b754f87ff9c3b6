#pragma once

#include <span>
#include <string>

#include "sim/answers/compare_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// Table per benchmark, then the errors.
std::string compare_text(std::span<const BacktestRow>);

/// One record per row.
Records compare_records(std::span<const BacktestRow>);
std::vector<ColumnMeaning> compare_columns();

}  // namespace report
}  // namespace tofn
