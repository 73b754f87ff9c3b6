#include "sim/published/series.hpp"

#include <map>

#include <fmt/format.h>

#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace published {
Series read_series(const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  const bool in_minutes = table.has_column("minutes");
  if (in_minutes == table.has_column("seconds"))
    throw InputError({.file = file.string()}, "minutes",
                     "a series needs this column or 'seconds', and only one of them");
  std::map<int, std::pair<double, int>> times;  // minutes and line, by accelerators
  for (std::size_t row = 0; row < table.rows(); ++row) {
    constexpr int most = 1'000'000;
    const CsvRow cells(table, row);
    const int size = cells.needed_count("accelerators", most);
    const double time = cells.needed_positive(in_minutes ? "minutes" : "seconds");
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
  Series series{.points = {}, .remarks = table.remarks_on_end()};
  series.points.reserve(times.size());
  for (const auto& [size, time] : times)
    series.points.push_back({.accelerators = size, .minutes = time.first});
  return series;
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
