// The plugin's other output, for monitoring: one line per metric, in the text format of Prometheus
// (NVIDIA/nccl@5067397, plugins/profiler/inspector/inspector_prom.cc). Its sizes are buckets
// (`4-5GB`); time and bus bandwidth together give the bytes that moved.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/collective_logs/log_format.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view bandwidth_metric = "nccl_bus_bandwidth_gbs{";
constexpr std::string_view time_metric = "nccl_collective_exec_time_microseconds{";

/// Bus bandwidth and time of one collective, communicator and size bucket.
struct MetricPair {
  std::optional<double> gigabytes_per_second{};
  std::optional<double> microseconds{};
  LogLine line{};
};

/// Returns the value of a label such as `nranks="4"`; empty if it is absent.
std::string_view label(std::string_view labels, std::string_view name) {
  const std::string mark = std::string(name) + "=\"";
  for (std::size_t at = labels.find(mark); at != labels.npos; at = labels.find(mark, at + 1)) {
    if (at > 0 && labels[at - 1] != ',' && labels[at - 1] != '{') continue;
    const std::string_view rest = labels.substr(at + mark.size());
    return rest.substr(0, rest.find('"'));
  }
  return {};
}

/// Returns the collective of a metric; absent for Reduce and others that tofn does not predict.
std::optional<CollectiveKind> metric_kind(std::string_view labels) {
  static constexpr std::array<std::pair<std::string_view, CollectiveKind>, 5> kinds{
      {{"AllReduce", CollectiveKind::AllReduce},
       {"AllGather", CollectiveKind::AllGather},
       {"ReduceScatter", CollectiveKind::ReduceScatter},
       {"Broadcast", CollectiveKind::Broadcast},
       {"All2All", CollectiveKind::AllToAll}}};
  const std::string_view name = label(labels, "collective");
  for (const auto& [known, kind] : kinds)
    if (known == name) return kind;
  return {};
}

std::map<std::string_view, MetricPair> metrics_in(const LogText& log) {
  std::map<std::string_view, MetricPair> pairs;
  for (const LogLine& line : log.lines) {
    const bool is_bandwidth = line.text.starts_with(bandwidth_metric);
    if (!is_bandwidth && !line.text.starts_with(time_metric)) continue;
    const std::size_t open = line.text.find('{');
    const std::size_t close = line.text.find('}', open);
    double value = 0;
    if (close == line.text.npos || !parse_number(trimmed(line.text.substr(close + 1)), value) ||
        !(value >= 0))
      throw InputError(log.location(line), {}, "a metric needs its labels in {} and a number");
    MetricPair& pair = pairs[line.text.substr(open, close - open)];
    (is_bandwidth ? pair.gigabytes_per_second : pair.microseconds) = value;
    if (pair.line.number == 0) pair.line = line;
  }
  return pairs;
}

}  // namespace

bool is_inspector_metrics(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    return line.text.starts_with(bandwidth_metric) || line.text.starts_with(time_metric);
  });
}

LoggedTables read_inspector_metrics(const LogText& log) {
  LoggedTables read;
  std::map<std::tuple<CollectiveKind, int, std::optional<int>>, LoggedTable> tables;
  int left_out = 0;
  const LogLine* last = nullptr;
  const auto pairs = metrics_in(log);
  for (const auto& [labels, pair] : pairs) {
    last = &pair.line;
    const auto kind = metric_kind(labels);
    const auto ranks = parse_count(label(labels, "nranks"));
    const auto nodes = parse_count(label(labels, "n_nodes"));
    if (!kind || !ranks || *ranks < 2 || !pair.gigabytes_per_second || !pair.microseconds ||
        !(*pair.gigabytes_per_second > 0) || !(*pair.microseconds > 0)) {
      ++left_out;
      continue;
    }
    constexpr double bytes_a_microsecond = 1e3;  // of 1 GB/s
    const double size = *pair.gigabytes_per_second * bytes_a_microsecond * *pair.microseconds /
                        bus_factor_of(*kind, *ranks);
    LoggedTable& table = tables[{*kind, *ranks, nodes}];
    if (table.rows.empty())
      table = {.tool = "nccl-inspector",
               .collective = kind,
               .ranks = ranks,
               .nodes = nodes,
               .line = pair.line};
    constexpr double micro = 1e-6;
    table.rows.push_back(
        {.size = size, .out_of_place = Seconds{*pair.microseconds * micro}, .line = pair.line});
  }
  for (auto& [group, table] : tables) read.tables.push_back(std::move(table));
  if (left_out > 0)
    read.remarks.push_back(log.remark(
        *last, fmt::format("{} groups of metrics left out: of no collective that is predicted, of "
                           "one rank, or without both bandwidth and time",
                           left_out)));
  return read;
}

}  // namespace formats
}  // namespace tofn
