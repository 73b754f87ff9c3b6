#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {

/// One unit is 10^decimal_exponent * factor base units.
struct Unit {
  std::string name;
  int decimal_exponent = 0;
  double factor = 1;
  bool is_spelt_out = false;  ///< a word for another unit: `weeks`, `hour`
};

/// A kind of amount as text spells it.
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

/// The unit of this name, or null.
const Unit* find_unit(const QuantityKind& kind, std::string_view name);
/// Without the words that only spell others out.
std::vector<std::string> unit_names(const QuantityKind& kind);

/// The largest unit of which 10^exponent is at least one, else the smallest, among powers of 1000.
const Unit& decimal_unit(const QuantityKind& kind, int exponent);

/// The largest of minute, hour and day of which `seconds` is at least one, or null.
const Unit* calendar_unit(double seconds);

}  // namespace tofn
