#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/cluster/precision.hpp"
#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace cluster {

/// Number format of matrix products, and the recipe that scales them where a configuration names
/// one: `mxfp8`, `delayed`; empty: none.
struct NamedPrecision {
  Precision precision = Precision::Bf16;
  std::string recipe{};
};

/// Precision that configurations of trainers name: the narrowest format of `bf16-mixed +
/// fp8:mxfp8`. Neither case nor separators matter, nor what stands in parentheses. Absent: a word
/// is no known one, or none names a format.
std::optional<NamedPrecision> precision_named(std::string_view words);

/// Whether they say the format around the products alone, as in `bf16-mixed (recipe not stated)`:
/// products may run in fewer bits.
bool leaves_recipe_open(std::string_view words);

/// The same of a cell; absent where the row does not say. InputError where nothing is named.
std::optional<NamedPrecision> precision_of(const CsvRow&, std::string_view column = "precision");

}  // namespace cluster
}  // namespace tofn
