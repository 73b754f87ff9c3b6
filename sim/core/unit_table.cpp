#include "sim/core/unit_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>

namespace tofn {
namespace {

struct Prefix {
  std::string_view name;
  int decimal_exponent = 0;
  double factor = 1;
};

constexpr std::array<Prefix, 4> small{{{"p", -12}, {"n", -9}, {"u", -6}, {"m", -3}}};
constexpr std::array<Prefix, 1> none{{{"", 0}}};
constexpr std::array<Prefix, 6> large{
    {{"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}}};
constexpr std::array<Prefix, 5> binary{{{"Ki", 0, 0x1p10},
                                        {"Mi", 0, 0x1p20},
                                        {"Gi", 0, 0x1p30},
                                        {"Ti", 0, 0x1p40},
                                        {"Pi", 0, 0x1p50}}};

void append(std::vector<Unit>& units, std::initializer_list<std::span<const Prefix>> prefixes,
            const std::string& base, double base_factor = 1) {
  for (const std::span<const Prefix> some : prefixes)
    for (const Prefix& prefix : some)
      units.push_back({.name = std::string(prefix.name) + base,
                       .decimal_exponent = prefix.decimal_exponent,
                       .factor = prefix.factor * base_factor});
}

constexpr double minute = 60;
constexpr double hour = 60 * minute;
constexpr double day = 24 * hour;
constexpr double week = 7 * day;

/// Units in which times above a second are printed.
const std::array<Unit, 3> calendar_units{{{"min", 0, minute}, {"h", 0, hour}, {"d", 0, day}}};

/// Units that are read but not printed. Months and years are missing, because their length varies.
const std::array<Unit, 11> typed_units{{{"w", 0, week},
                                        {"second", 0, 1, true},
                                        {"seconds", 0, 1, true},
                                        {"minute", 0, minute, true},
                                        {"minutes", 0, minute, true},
                                        {"hour", 0, hour, true},
                                        {"hours", 0, hour, true},
                                        {"day", 0, day, true},
                                        {"days", 0, day, true},
                                        {"week", 0, week, true},
                                        {"weeks", 0, week, true}}};

std::vector<Unit> time_units() {
  std::vector<Unit> units;
  append(units, {small, none}, "s");
  units.insert(units.end(), calendar_units.begin(), calendar_units.end());
  units.insert(units.end(), typed_units.begin(), typed_units.end());
  return units;
}

/// Units of bytes and bits, followed by `per`, which is empty or `/s`.
std::vector<Unit> data_units(const std::string& per) {
  constexpr double bytes_per_bit = 0.125;
  std::vector<Unit> units;
  append(units, {none, large, binary}, "B" + per);
  append(units, {none, large, binary}, "b" + per, bytes_per_bit);
  return units;
}

std::vector<Unit> work_units(const std::string& per) {
  constexpr std::array<Prefix, 2> huge{{{"Z", 21}, {"Y", 24}}};  // whole training runs
  std::vector<Unit> units;
  append(units, {none, large, huge}, "FLOP" + per);
  return units;
}

std::vector<Unit> energy_units() {
  std::vector<Unit> units;
  append(units, {small, none, large}, "J");
  append(units, {none, std::span(large).first(4)}, "Wh", hour);
  return units;
}

std::vector<Unit> power_units() {
  std::vector<Unit> units;
  append(units, {small, none, large}, "W");
  return units;
}

enum Index : std::size_t { Time, Data, Bandwidth, Work, WorkRate, Energy, Power };

}  // namespace

std::span<const QuantityKind> quantity_kinds() {
  static const std::array<QuantityKind, 7> kinds{{
      {"a time", "3.5 us", time_units()},
      {"a size", "80 GiB", data_units("")},
      {"a bandwidth", "400 Gb/s", data_units("/s")},
      {"an amount of work", "2.5 TFLOP", work_units("")},
      {"a compute rate", "989.4 TFLOP/s", work_units("/s")},
      {"an energy", "3.6 MJ", energy_units()},
      {"a power", "700 W", power_units()},
  }};
  return kinds;
}

const QuantityKind& kind_of(Seconds) { return quantity_kinds()[Time]; }
const QuantityKind& kind_of(Bytes) { return quantity_kinds()[Data]; }
const QuantityKind& kind_of(BytesPerSecond) { return quantity_kinds()[Bandwidth]; }
const QuantityKind& kind_of(Flops) { return quantity_kinds()[Work]; }
const QuantityKind& kind_of(FlopsPerSecond) { return quantity_kinds()[WorkRate]; }
const QuantityKind& kind_of(Joules) { return quantity_kinds()[Energy]; }
const QuantityKind& kind_of(Watts) { return quantity_kinds()[Power]; }

const Unit* find_unit(const QuantityKind& kind, std::string_view name) {
  const auto found = std::ranges::find(kind.units, name, &Unit::name);
  return found == kind.units.end() ? nullptr : &*found;
}

std::vector<std::string> unit_names(const QuantityKind& kind) {
  std::vector<std::string> names;
  for (const Unit& unit : kind.units)
    if (!unit.is_spelt_out) names.push_back(unit.name);
  return names;
}

const Unit& decimal_unit(const QuantityKind& kind, int exponent) {
  std::size_t chosen = 0;  // every table starts with its smallest decimal unit
  for (std::size_t i = 0; i < kind.units.size(); ++i)
    if (kind.units[i].factor == 1 && !kind.units[i].is_spelt_out &&
        kind.units[i].decimal_exponent <= exponent)
      chosen = i;
  return kind.units[chosen];
}

const Unit* calendar_unit(double seconds) {
  const Unit* chosen = nullptr;
  for (const Unit& unit : calendar_units)
    if (seconds >= unit.factor) chosen = &unit;
  return chosen;
}

}  // namespace tofn
