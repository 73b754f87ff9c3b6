#include "sim/curves/repeats.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>

namespace tofn {
inline namespace curves {
namespace {

using Jobs = std::vector<const CollectiveTable*>;

/// 95 % interval of another job's time.
Interval another_after(std::span<const double> seconds) {
  constexpr double share = 0.975;  // of each side
  std::vector<double> logarithms;
  for (const double each : seconds) logarithms.push_back(std::log(each));
  const auto count = static_cast<double>(seconds.size());
  const double centre = mean(logarithms);
  const double half_width = student_quantile(share, static_cast<int>(seconds.size()) - 1) *
                            standard_deviation(logarithms) * std::sqrt(1 + 1 / count);
  return {.low = std::exp(centre - half_width), .high = std::exp(centre + half_width)};
}

/// First time of each job at each size (bytes).
std::map<double, std::vector<double>> times_by_size(const Jobs& jobs) {
  std::map<double, std::vector<double>> times;
  for (std::size_t job = 0; job < jobs.size(); ++job)
    for (const CollectiveRow& row : jobs[job]->rows)
      if (auto& of_size = times[row.size.base()]; of_size.size() == job)
        of_size.push_back(row.time().base());
  std::erase_if(times, [&](const auto& each) { return each.second.size() < jobs.size(); });
  return times;
}

RepeatedTable repeated(const Jobs& jobs) {
  RepeatedTable result{.tables = jobs, .sizes = {}};
  for (auto& [size, seconds] : times_by_size(jobs)) {
    for (std::size_t before = 2; before < seconds.size(); ++before) {
      ++result.request;
      result.foretold += another_after(std::span(seconds).first(before)).contains(seconds[before]);
    }
    result.sizes.push_back({.size = Bytes(size),
                            .seconds = seconds,
                            .median = median(seconds),
                            .another = another_after(seconds)});
  }
  return result;
}

}  // namespace

std::vector<RepeatedTable> repeats_among(const Jobs& tables) {
  using Words = std::vector<std::string>;
  std::map<std::tuple<CollectiveKind, int, int, Words>, Jobs> groups;
  for (const CollectiveTable* table : tables)
    groups[{table->collective, table->ranks, table->nodes,
            Words{table->tool, table->type, table->algorithm, table->protocol, table->setting}}]
        .push_back(table);
  std::vector<RepeatedTable> all;
  for (const auto& [key, jobs] : groups) {
    std::set<std::string_view> files;
    for (const CollectiveTable* job : jobs) files.insert(job->file);
    if (jobs.size() < 2 || files.size() < jobs.size()) continue;
    RepeatedTable table = repeated(jobs);
    if (!table.sizes.empty()) all.push_back(std::move(table));
  }
  return all;
}

}  // namespace curves
}  // namespace tofn
