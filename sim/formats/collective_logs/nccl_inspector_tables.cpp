// Converts a job's own collectives to tables of bandwidth by size.
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/statistics.hpp"
#include "sim/formats/collective_logs/log_format.hpp"
#include "sim/formats/collective_logs/nccl_inspector.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Share of calls that count for each size, the fastest. NCCL's kernel starts when its rank
/// arrives, so the last ranks to arrive see the links' time, and all others also wait.
constexpr double unwaited = 0.1;

using GroupOfRanks = std::tuple<CollectiveKind, int, std::optional<int>>;
using Call = std::tuple<std::string, double, double>;  // communicator, number, bytes

/// Calls of one collective on groups of one size.
struct Calls {
  std::map<Call, double> seconds{};  ///< minimum over the ranks in the file
  LogLine first{};
  std::map<Call, int> lines{};
};

void take_call(const InspectedCollective& ran, Calls& calls) {
  const Call call{ran.communicator, ran.number, ran.size.base()};
  const auto [found, is_new] = calls.seconds.emplace(call, ran.time.base());
  if (is_new) calls.lines[call] = ran.line;
  if (!is_new) found->second = std::min(found->second, ran.time.base());
}

/// Returns the seconds of calls and the first line, by size.
std::map<double, std::pair<std::vector<double>, int>> by_size(const Calls& calls) {
  std::map<double, std::pair<std::vector<double>, int>> sizes;
  for (const auto& [call, seconds] : calls.seconds) {
    auto& [times, line] = sizes[std::get<2>(call)];
    const int own = calls.lines.at(call);
    line = line == 0 ? own : std::min(line, own);
    times.push_back(seconds);
  }
  return sizes;
}

LoggedTable table_of(const GroupOfRanks& group, const Calls& calls, const LogText& log,
                     std::vector<std::string>& remarks) {
  LoggedTable table{.tool = "nccl-inspector",
                    .collective = std::get<0>(group),
                    .ranks = std::get<1>(group),
                    .nodes = std::get<2>(group),
                    .line = calls.first};
  std::vector<double> waits;
  for (const auto& [size, times] : by_size(calls)) {
    const double fast = quantile(times.first, unwaited);
    for (const double each : times.first) waits.push_back(each / fast);
    LogLine line = calls.first;
    line.number = times.second;
    table.rows.push_back({.size = size, .out_of_place = Seconds{fast}, .line = line});
  }
  if (calls.seconds.size() > table.rows.size())
    remarks.push_back(log.remark(
        calls.first,
        fmt::format("{} calls of {} sizes: each size counts by its fastest tenth, for kernels wait "
                    "for late ranks (half of the calls take {:.2f} x that, or more)",
                    calls.seconds.size(), table.rows.size(), median(waits))));
  return table;
}

}  // namespace

bool is_nccl_inspector(const LogText& log) {
  for (const LogLine& line : log.lines)
    if (!trimmed(line.text).empty()) return is_inspector_text(line.text);
  return false;
}

LoggedTables read_nccl_inspector(const LogText& log) {
  InspectorReading reading = read_inspector(log);
  std::map<GroupOfRanks, Calls> groups;
  std::size_t at = 0;
  for (const InspectedCollective& ran : reading.collectives) {
    while (log.lines[at].number < ran.line) ++at;
    Calls& calls = groups[{ran.collective, ran.ranks, ran.nodes}];
    if (calls.seconds.empty()) calls.first = log.lines[at];
    take_call(ran, calls);
  }
  LoggedTables read{.tables = {}, .remarks = std::move(reading.remarks)};
  for (const auto& [group, calls] : groups)
    read.tables.push_back(table_of(group, calls, log, read.remarks));
  return read;
}

}  // namespace formats
}  // namespace tofn
