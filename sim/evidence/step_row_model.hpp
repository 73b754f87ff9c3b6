#pragma once

#include "sim/core/csv_row.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace evidence {

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
