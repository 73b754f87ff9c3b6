#include "sim/curves/samples.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace curves {

namespace {

// Reproducible rows differ by a few percent, warm-up spikes by 1.5 times and more.
constexpr double spike_factor = 1.5;

void check(const CollectiveTable& table, const CollectiveRow& row) {
  const auto positive = [](double value) { return std::isfinite(value) && value > 0; };
  if (!positive(row.size.base())) {
    throw InputError({table.file, row.line}, "size", "must be above 0 B");
  }
  if (!positive(row.time().base())) {
    throw InputError({table.file, row.line}, "time", "must be above 0 s");
  }
}

std::string row_name(int line, double size) {
  return line > 0 ? fmt::format("line {}: {:.0f} B", line, size) : fmt::format("{:.0f} B", size);
}

void remark_on_places(const CollectiveRow& row, std::vector<Remark>& remarks) {
  if (!row.out_of_place || !row.in_place) return;
  const double outside = row.out_of_place->base() * 1e6;
  const double inside = row.in_place->base() * 1e6;
  if (std::max(outside, inside) < spike_factor * std::min(outside, inside)) return;
  remarks.push_back(
      {row.line,
       fmt::format("{} took {:.4g} us out of place and {:.4g} in place: the larger is a spike",
                   row_name(row.line, row.size.base()), outside, inside)});
}

/// True if a time is far above those of its neighbours, because time must not fall as the size
/// grows.
bool is_spike(const std::vector<Sample>& samples, std::size_t i) {
  if (samples.size() < 3 || i + 1 == samples.size()) return false;
  const double before = i > 0 ? samples[i - 1].time : 0;
  return samples[i].time > spike_factor * std::max(before, samples[i + 1].time);
}

}  // namespace

Samples samples_of(const CollectiveTable& table) {
  if (table.rows.empty()) throw InputError({table.file}, "rows", "the table has none");
  Samples result;
  std::map<double, std::vector<double>> times;
  std::map<double, int> lines;
  for (const CollectiveRow& row : table.rows) {
    check(table, row);
    remark_on_places(row, result.remarks);
    times[row.size.base()].push_back(row.time().base());
    lines.emplace(row.size.base(), row.line);
  }
  std::vector<Sample> all;
  for (const auto& [size, repeats] : times) all.push_back({size, median(repeats)});
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Sample& sample = all[i];
    if (!is_spike(all, i)) {
      result.sound.push_back(sample);
      continue;
    }
    result.spikes.push_back(sample);
    const int line = lines[sample.size];
    const double next = all[i + 1].time * 1e6;
    result.remarks.push_back(
        {line, fmt::format("{} took {:.4g} us, the next size {:.4g}: a spike, left out",
                           row_name(line, sample.size), sample.time * 1e6, next)});
  }
  return result;
}

}  // namespace curves
}  // namespace tofn
