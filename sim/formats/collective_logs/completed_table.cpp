#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"
#include "sim/formats/collective_logs/logged_table.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Returns the time of a row that states only bandwidths, in seconds.
Seconds derived_time(const LoggedRow& row, const LoggedTable& table, double size) {
  const double bus = row.bandwidths->bus;
  const double factor = bus_factor_of(*table.collective, *table.ranks);
  constexpr double giga = 1e9;
  // The larger of both has more digits.
  return bus >= row.bandwidths->algorithm ? Seconds{size * factor / (bus * giga)}
                                          : Seconds{size / (row.bandwidths->algorithm * giga)};
}

bool is_positive(const std::optional<Seconds>& time) {
  return !time || (time->base() > 0 && std::isfinite(time->base()));
}

/// Returns the completed row; absent if it has no positive time and size.
std::optional<CollectiveRow> completed_row(const LoggedRow& row, const LoggedTable& table) {
  CollectiveRow done{.size = Bytes{row.size * (table.size_is_per_rank ? *table.ranks : 1)},
                     .out_of_place = row.out_of_place,
                     .in_place = row.in_place,
                     .line = row.line.number};
  if (!done.out_of_place && !done.in_place && row.bandwidths &&
      (row.bandwidths->bus > 0 || row.bandwidths->algorithm > 0)) {
    const Seconds time = derived_time(row, table, done.size.base());
    (table.bandwidth_is_in_place ? done.in_place : done.out_of_place) = time;
  }
  const bool has_time = done.out_of_place || done.in_place;
  if (!has_time || !is_positive(done.out_of_place) || !is_positive(done.in_place) ||
      !(done.size.base() >= 1) || !std::isfinite(done.size.base()))
    return std::nullopt;
  return done;
}

/// Ratio of size over time to the printed bandwidth for each row with enough digits, with the time
/// of the place that comes closer to it.
std::vector<double> bandwidth_ratios(const LoggedTable& table) {
  constexpr double giga = 1e9;
  constexpr double steps = 20;  // half steps of the last digit: within 5 %
  std::vector<double> ratios;
  for (const LoggedRow& row : table.rows) {
    if (!row.bandwidths) continue;
    const PrintedBandwidths& printed = *row.bandwidths;
    if (printed.algorithm < steps * printed.algorithm_step || printed.algorithm <= 0) continue;
    std::optional<double> nearest;
    for (const auto& time : {row.out_of_place, row.in_place}) {
      if (!time || time->base() <= 0) continue;
      const double ratio = row.size / time->base() / (printed.algorithm * giga);
      if (!nearest || std::abs(std::log(ratio)) < std::abs(std::log(*nearest))) nearest = ratio;
    }
    if (nearest) ratios.push_back(*nearest);
  }
  return ratios;
}

/// InputError if times do not match the bandwidths: they have another unit, or belong to other
/// rows.
void check_times(const LogText& log, const LoggedTable& table) {
  constexpr double most = 1.25;
  const std::vector<double> ratios = bandwidth_ratios(table);
  if (ratios.empty()) return;
  const double ratio = median(ratios);
  if (ratio > most || ratio < 1 / most)
    throw InputError(log.location(table.line), "time",
                     fmt::format("size over time is {:.3g} times the bandwidth beside it, algbw: "
                                 "one of them is wrong, or in another unit",
                                 ratio));
}

}  // namespace

CollectiveTable completed_table(const LogText& log, std::string_view source,
                                const LoggedTable& table, std::vector<std::string>& remarks) {
  check_times(log, table);
  CollectiveTable done{.file = log.file,
                       .source = table.source.empty() ? std::string(source) : table.source,
                       .tool = table.tool,
                       .collective = *table.collective,
                       .type = table.type,
                       .ranks = *table.ranks,
                       .nodes = *table.nodes,
                       .algorithm = table.algorithm,
                       .protocol = table.protocol,
                       .wrong_results = table.wrong_results,
                       .rows = {}};
  for (const LoggedRow& row : table.rows) {
    if (const auto complete = completed_row(row, table))
      done.rows.push_back(*complete);
    else
      remarks.push_back(log.remark(row.line, "left out: no positive size and time"));
  }
  std::ranges::stable_sort(done.rows, {}, &CollectiveRow::size);
  return done;
}

}  // namespace formats
}  // namespace tofn
