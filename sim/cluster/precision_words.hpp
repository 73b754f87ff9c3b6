#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/cluster/precision.hpp"
#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace cluster {

/// Number format of matrix products, and the recipe that scales them if a configuration names one:
/// `mxfp8`, `delayed`; empty: none.
struct NamedPrecision {
  Precision precision = Precision::Bf16;
  std::string recipe{};
};

/// Reads a precision from a trainer's configuration: the narrowest format of `bf16-mixed +
/// fp8:mxfp8`. Case, separators and text in parentheses do not matter. Absent if a word is unknown
/// or if none names a format.
std::optional<NamedPrecision> precision_named(std::string_view words);

/// True if the words state only the format around the products, as in `bf16-mixed (recipe not
/// stated)`; products may run in fewer bits.
bool leaves_recipe_open(std::string_view words);

/// Reads the precision of a cell; absent if the row does not state it. InputError if the cell names
/// none.
std::optional<NamedPrecision> precision_of(const CsvRow&, std::string_view column = "precision");

}  // namespace cluster
}  // namespace tofn
