#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/csv_row.hpp"
#include "sim/core/rows.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace evidence {

/// Columns that tables of measured steps may have: their own, and one for each other row of
/// `visit_plan`.
std::vector<std::string_view> step_columns();

/// Sets the plan's members from columns that are rows of `visit_plan`; returns the names of these
/// rows.
std::vector<std::string> read_plan_columns(const CsvRow&, Plan&);

/// Model of a row of measured steps, with the defaults of columns that it leaves out: the
/// vocabulary, the transformer layers, and dense layers if some stand before those with experts.
/// InputError with the column if dimensions do not fit together.
Model model_of_row(const CsvRow&);

/// Transformer layers of such a model, without the dense ones before those with experts.
const TransformerLayers& body_of(const Model&);

/// Most layers of a model or of a stage that a row may state.
inline constexpr int most_layers = 100'000;

}  // namespace evidence
}  // namespace tofn
