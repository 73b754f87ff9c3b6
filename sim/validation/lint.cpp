#include "sim/validation/lint.hpp"

#include <span>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace validation {
namespace {

// No launch and no shared-memory flag is faster, so that a faster row is in other units.
constexpr double fastest_seconds = 0.05e-6;
// A message that fits a few packets. If it takes over a second, the time is in ns or the job hung.
constexpr double small_bytes = 1024;
constexpr double slowest_small_seconds = 1;
// Twice the links of today's fastest accelerator. Bits taken for bytes give more.
constexpr double fastest_bus = 2e12;
// No steady run is this far below both neighbours, or takes less than half the time of half the
// size.
constexpr double far_below_neighbours = 0.1;
constexpr double steepest_fall = 0.5;

struct Point {
  double size = 0;
  double time = 0;
  int line = 0;
};

/// Text `line 12: 8 B took 94.4 us`.
std::string what(const Point& point) {
  return fmt::format("{}{} took {}", point.line > 0 ? fmt::format("line {}: ", point.line) : "",
                     to_text(Bytes(point.size)), to_text(Seconds(point.time)));
}

/// Fastest of the repeats of each size, because a repeat may have been disturbed.
std::vector<Point> fastest_of_each_size(const CollectiveTable& table) {
  std::vector<Point> points;
  for (const CollectiveRow& row : table.rows) {
    const Point point{row.size.base(), row.time().base(), row.line};
    if (points.empty() || points.back().size != point.size)
      points.push_back(point);
    else if (point.time < points.back().time)
      points.back() = point;
  }
  return points;
}

std::string impossible(const Point& point, double factor) {
  if (point.time < fastest_seconds)
    return what(point) + ", faster than any machine: times are not in us";
  if (point.size <= small_bytes && point.time > slowest_small_seconds)
    return what(point) + ", longer than any machine: times are not in us";
  if (const double bus = point.size / point.time * factor; bus > fastest_bus)
    return fmt::format("{}, a bus bandwidth of {}: not what one accelerator has", what(point),
                       to_text(BytesPerSecond(bus)));
  return {};
}

std::string unsteady(std::span<const Point> points, std::size_t i) {
  if (i == 0) return {};
  const Point& before = points[i - 1];
  const Point& here = points[i];
  if (i + 1 < points.size() && here.time < far_below_neighbours * before.time &&
      here.time < far_below_neighbours * points[i + 1].time)
    return what(here) + ", less than a tenth of both its neighbours";
  if (here.size >= 2 * before.size && here.time < steepest_fall * before.time)
    return fmt::format("{}, less than half of what {} took", what(here),
                       to_text(Bytes(before.size)));
  return {};
}

}  // namespace

Faults faults_of(const CollectiveTable& table) {
  const auto points = fastest_of_each_size(table);
  const double factor = bus_factor_of(table.collective, table.ranks);
  Faults faults;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (faults.impossible.empty()) faults.impossible = impossible(points[i], factor);
    if (faults.unsteady.empty()) faults.unsteady = unsteady(points, i);
  }
  return faults;
}

}  // namespace validation
}  // namespace tofn
