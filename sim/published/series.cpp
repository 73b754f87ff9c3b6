#include "sim/published/series.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/core/csv.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace published {
namespace {

double positive_number(const CsvTable& table, std::size_t row, std::string_view column) {
  const std::string& cell = table.at(row, column);
  double value = 0;
  if (!parse_number(cell, value) || !(value > 0))
    throw InputError(table.location(row, column), column,
                     "expected a number above 0, got '" + shortened(cell) + "'");
  return value;
}

int size_at(const CsvTable& table, std::size_t row) {
  constexpr std::string_view column = "accelerators";
  constexpr double most = 1e6;
  const double size = positive_number(table, row, column);
  if (size != std::floor(size) || size > most)
    throw InputError(table.location(row, column), column,
                     fmt::format("expected a whole number from 1 to {:.0f}, got '{}'", most,
                                 shortened(table.at(row, column))));
  return static_cast<int>(size);
}

}  // namespace

std::vector<ScalingPoint> read_series(const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  const bool in_minutes = table.has_column("minutes");
  if (in_minutes == table.has_column("seconds"))
    throw InputError({.file = file.string()}, "minutes",
                     "a series needs this column or 'seconds', and only one of them");
  std::map<int, std::pair<double, int>> times;  // minutes and line, by accelerators
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const int size = size_at(table, row);
    const double time = positive_number(table, row, in_minutes ? "minutes" : "seconds");
    const Location place = table.location(row, "accelerators");
    const auto [found, is_new] =
        times.try_emplace(size, std::pair{in_minutes ? time : time / 60, place.line});
    if (!is_new)
      throw InputError(place, "accelerators",
                       fmt::format("{} stands on line {} already", size, found->second.second));
  }
  if (times.size() < 2)
    throw InputError(
        {.file = file.string()}, "accelerators",
        fmt::format("a series needs at least two sizes, this one has {}", times.size()));
  std::vector<ScalingPoint> points;
  points.reserve(times.size());
  for (const auto& [size, time] : times)
    points.push_back({.accelerators = size, .minutes = time.first});
  return points;
}

std::vector<ScalingPoint> medians_by_size(const std::vector<NamedTime>& systems) {
  std::map<int, std::vector<double>> times;
  for (const NamedTime& system : systems)
    times[system.point.accelerators].push_back(system.point.minutes);
  std::vector<ScalingPoint> points;
  points.reserve(times.size());
  for (const auto& [size, minutes] : times)
    points.push_back({.accelerators = size, .minutes = median(minutes)});
  return points;
}

}  // namespace published
}  // namespace tofn
