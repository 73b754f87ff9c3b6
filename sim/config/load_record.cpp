#include "sim/config/load_record.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/file_keys.hpp"
#include "sim/core/bus_factor.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr double seconds_per_microsecond = 1e-6;

std::optional<YamlNode> entry(const YamlNode& map, std::string_view name) {
  for (const auto& [key, value] : map.entries())
    if (key == name) return value;
  return std::nullopt;
}

double width(const Interval& interval) { return interval.high - interval.low; }

RecordTexts read_texts(const YamlNode& node) {
  RecordTexts texts;
  for (const auto& [key, value] : node.entries()) value.read(texts.emplace_back(key, "").second);
  return texts;
}

RecordFigures read_figures(const YamlNode& node) {
  RecordFigures figures;
  for (const auto& [key, value] : node.entries()) value.read(figures.emplace_back(key, 0).second);
  return figures;
}

template <class Walk>
void host_rows(Walk& walk, RecordHost& of) {
  walk({"name", "name of the host", true}, of.name);
  walk({"ranks", "ranks on the host", true, range::at_least_one}, of.ranks);
  walk({"devices", "accelerators of the host; empty on CPUs", true}, of.devices);
}

RecordValue read_value(const YamlNode& node) {
  std::string text;
  node.read(text);
  if (node.is_quoted()) return text;
  if (text == "true" || text == "false") return text == "true";
  if (long long whole = 0; parse_integer(text, whole)) return whole;
  if (double number = 0; parse_number(text, number)) return number;
  node.fail(
      fmt::format("expected a number, true, false or quoted text, got '{}'", shortened(text)));
}

const RecordKind& read_kind(const YamlNode& node) {
  std::string name;
  node.read(name);
  std::vector<std::string> names;
  for (const RecordKind& kind : record_kinds()) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  node.fail(unknown_name("kind", name, names));
}

RecordParameters read_parameters(const YamlNode& node, const RecordKind& kind) {
  RecordParameters parameters;
  for (const auto& [key, value] : node.entries()) parameters.emplace_back(key, read_value(value));
  for (const std::string_view name : kind.parameters)
    if (!entry(node, name))
      node.fail(fmt::format("missing key '{}', which every {} point has", name, kind.name));
  return parameters;
}

double read_microseconds(const YamlNode& node) {
  double microseconds = 0;
  node.read(microseconds);
  if (!(microseconds > 0)) node.fail("must be above 0");
  return microseconds * seconds_per_microsecond;
}

std::vector<double> read_samples(const YamlNode& node) {
  std::vector<double> samples;
  for (const YamlNode& item : node.items()) samples.push_back(read_microseconds(item));
  if (samples.empty()) node.fail("needs at least one sample");
  return samples;
}

void read_device_samples(const YamlNode& node, RecordPoint& point) {
  point.device_samples = read_samples(node);
  if (point.device_samples.size() != point.host_samples.size())
    node.fail(fmt::format("has {} samples, host_samples_us has {}", point.device_samples.size(),
                          point.host_samples.size()));
}

void read_visits(const YamlNode& node, RecordPoint& point) {
  node.read(point.visits);
  std::size_t samples = 0;
  for (const int visit : point.visits) {
    if (visit < 1) node.fail("holds a visit without a sample");
    samples += static_cast<std::size_t>(visit);
  }
  if (samples != point.host_samples.size())
    node.fail(fmt::format("sum to {} samples, host_samples_us has {}", samples,
                          point.host_samples.size()));
}

Interval read_interval(const YamlNode& node, double median) {
  const auto ends = node.items();
  if (ends.size() != 2) node.fail("expected [low, high]");
  const Interval interval{read_microseconds(ends[0]), read_microseconds(ends[1])};
  if (interval.low > interval.high) node.fail("ends below its start");
  if (!interval.contains(median)) node.fail("does not hold the median");
  return interval;
}

/// Rows of a point's summary. InputError if it does not follow from the samples: one of them was
/// edited.
template <class Walk>
void summary_rows(Walk& walk, RecordPoint& point) {
  constexpr double rounding = 1e-6;      // shift of an interval's ends by rounding to seven digits
  constexpr double disagreement = 1e-5;  // more than rounding explains
  RecordSummary& summary = point.summary;
  walk.with({"median_us", "median of the samples", true}, "number", [&](const YamlNode& node) {
    summary.median = read_microseconds(node);
    const double found = median(point.samples());
    if (std::abs(summary.median / found - 1) > disagreement)
      node.fail(fmt::format("is {:.7g}, but the samples have {:.7g}: edited or damaged",
                            summary.median / seconds_per_microsecond,
                            found / seconds_per_microsecond));
  });
  walk.with({"interval_us", "95 % interval of the median of a much longer run", true},
            "list of two numbers",
            [&](const YamlNode& node) { summary.interval = read_interval(node, summary.median); });
  walk.with({"repeat_interval_us", "95 % interval of the median of another such run", true},
            "list of two numbers", [&](const YamlNode& node) {
              summary.repeat = read_interval(node, summary.median);
              if (width(summary.repeat) + rounding * summary.median < width(summary.interval))
                node.fail("is narrower than interval_us");
            });
}

template <class T>
T read_whole_parameter(const YamlNode& parameters, std::string_view name) {
  const YamlNode node = entry(parameters, name).value();
  T value = 0;
  node.read(value);
  if (node.is_quoted() || value < 1) node.fail("must be a whole number above 0");
  return value;
}

/// Checks that the operation is known, and that a stated bus bandwidth follows from size and
/// median.
void check_collective(const YamlNode& parameters, const YamlNode& figures, double median) {
  constexpr double disagreement = 1e-4;
  constexpr double bytes_per_gigabyte = 1e9;
  const YamlNode operation_node = entry(parameters, "operation").value();
  std::string operation;
  operation_node.read(operation);
  const auto size = read_whole_parameter<long long>(parameters, "size_bytes");
  const auto factor = bus_factor(operation, read_whole_parameter<int>(parameters, "group_ranks"));
  if (!factor) operation_node.fail(unknown_name("operation", operation, bus_operations()));
  const auto node = entry(figures, "bus_bandwidth_gb_s");
  if (!node) return;
  double stated = 0;
  node->read(stated);
  const double derived = static_cast<double>(size) / median * *factor / bytes_per_gigabyte;
  if (std::abs(stated - derived) > disagreement * derived)
    node->fail(fmt::format("is {:.6g}, but size_bytes / median_us x {:.6g} gives {:.6g}", stated,
                           *factor, derived));
}

std::string kind_names() {
  std::vector<std::string_view> names;
  for (const RecordKind& kind : record_kinds()) names.push_back(kind.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

template <class Walk>
void point_rows(Walk& walk, RecordPoint& of) {
  const RecordKind* kind = nullptr;
  std::optional<YamlNode> parameters;
  walk.with({"kind", "kind of the measurement", true}, kind_names(), [&](const YamlNode& node) {
    kind = &read_kind(node);
    of.kind = kind->name;
  });
  walk.with({"parameters", "parameters of the measurement", true}, "map of values",
            [&](const YamlNode& node) {
              of.parameters = read_parameters(node, *kind);
              parameters = node;
            });
  walk({"started", "start of the measurement, in UTC", true}, of.started);
  walk({"warm_up_calls", "calls before the first sample", true, range::not_negative},
       of.warm_up_calls);
  walk({"calls_per_sample", "calls whose mean is a sample", true, range::at_least_one},
       of.calls_per_sample);
  walk.with({"host_samples_us", "time of a call by the host's clock, of the slowest rank", true},
            "list of numbers", [&](const YamlNode& node) { of.host_samples = read_samples(node); });
  walk.with({"device_samples_us", "time of a call by the device's clock"}, "list of numbers",
            [&](const YamlNode& node) { read_device_samples(node, of); });
  walk.with({"visits", "samples of each visit to the point", true}, "list of whole numbers",
            [&](const YamlNode& node) { read_visits(node, of); });
  walk({"is_complete", "false if the job ended before the point was done", true}, of.is_complete);
  summary_rows(walk, of);
  walk.with({"figures", "derived figures, with their units in the names", true}, "map of numbers",
            [&](const YamlNode& node) {
              of.figures = read_figures(node);
              if (of.kind == "collective") check_collective(*parameters, node, of.summary.median);
            });
  walk.with({"device_state", "clocks, power and temperature during the measurement"},
            "map of numbers", [&](const YamlNode& node) { of.device_state = read_figures(node); });
  walk({"flags", "warnings for readers"}, of.flags);
}

std::vector<RecordPoint> read_points(const YamlNode& node) {
  std::vector<RecordPoint> points;
  std::map<std::pair<std::string, RecordParameters>, int> lines;  // lines of the points so far
  for (const YamlNode& item : node.items()) {
    RecordPoint& point = points.emplace_back();
    FieldReader::read_map(item, [&](auto& walk) { point_rows(walk, point); });
    RecordParameters sorted = point.parameters;
    std::ranges::sort(sorted);
    const int line = item.location().line;
    const auto [same, is_new] = lines.try_emplace({point.kind, std::move(sorted)}, line);
    if (!is_new)
      item.fail(fmt::format("kind and parameters are those of the point of line {}", same->second));
  }
  return points;
}

void check_schema(const YamlNode& node) {
  int schema = 0;
  node.read(schema);
  if (schema != record_schema)
    node.fail(fmt::format("is schema {}, this tofn reads {}", schema, record_schema));
}

template <class Walk>
void record_rows(Walk& walk, Record& of) {
  walk.with({"tofn_record", "version of these keys", true}, "whole number", check_schema);
  walk.with({"provenance", "command, commit and versions that measured, and when", true},
            "map of texts", [&](const YamlNode& node) { of.provenance = read_texts(node); });
  walk.with({"environment", "settings that the measurement saw", true}, "map of texts",
            [&](const YamlNode& node) { of.environment = read_texts(node); });
  walk.list({"hosts", "hosts that took part", true}, "", of.hosts,
            [](auto& inner, RecordHost& host) { host_rows(inner, host); });
  walk.with({"points", "measurements, each of its own kind and parameters", true}, "list of maps",
            [&](const YamlNode& node) { of.points = read_points(node); });
}

}  // namespace

Record load_record(const std::filesystem::path& file) {
  Record record;
  FieldReader::read_map(YamlNode::load(file), [&](auto& walk) { record_rows(walk, record); });
  return record;
}

void list_record_keys(std::vector<FileKey>& keys) {
  FieldLister lister("record", keys);
  Record record;
  record_rows(lister, record);
  RecordPoint point;
  lister.inside("points[].", [&](auto& walk) { point_rows(walk, point); });
}

}  // namespace config
}  // namespace tofn
