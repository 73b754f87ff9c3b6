#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {

/// A unit of 10^decimal_exponent * factor base units.
struct Unit {
  std::string name;
  int decimal_exponent = 0;
  double factor = 1;
  bool is_spelt_out = false;  ///< a spelt-out word for another unit: `weeks`, `hour`
};

/// A kind of amount and its units.
struct QuantityKind {
  std::string_view name;     ///< with its article: `a time`
  std::string_view example;  ///< `3.5 us`
  std::vector<Unit> units;
};

std::span<const QuantityKind> quantity_kinds();

const QuantityKind& kind_of(Seconds);
const QuantityKind& kind_of(Bytes);
const QuantityKind& kind_of(Flops);
const QuantityKind& kind_of(BytesPerSecond);
const QuantityKind& kind_of(FlopsPerSecond);
const QuantityKind& kind_of(Joules);
const QuantityKind& kind_of(Watts);

/// Unit of this name; null if there is none.
const Unit* find_unit(const QuantityKind& kind, std::string_view name);
/// Names of units, without the spelt-out words.
std::vector<std::string> unit_names(const QuantityKind& kind);

/// Largest unit, in powers of 1000, that is at most 10^exponent; otherwise the smallest unit.
const Unit& decimal_unit(const QuantityKind& kind, int exponent);

/// Largest of minute, hour and day that is at most `seconds`; null if there is none.
const Unit* calendar_unit(double seconds);

}  // namespace tofn
