#include "sim/config/load_record.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "sim/core/bus_factor.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

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

RecordHost read_host(const YamlNode& node) {
  RecordHost host;
  Fields fields = node.fields();
  fields.required("name", host.name);
  read_in(range::at_least_one, fields, "ranks", host.ranks);
  fields.required("devices", host.devices);
  fields.done();
  return host;
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

void read_all_samples(Fields& fields, RecordPoint& point) {
  point.host_samples = read_samples(fields.child("host_samples_us"));
  const auto node = fields.optional_child("device_samples_us");
  if (!node) return;
  point.device_samples = read_samples(*node);
  if (point.device_samples.size() != point.host_samples.size())
    node->fail(fmt::format("has {} samples, host_samples_us has {}", point.device_samples.size(),
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

/// Reads a point's summary. InputError if it does not follow from the samples: one of them was
/// edited.
RecordSummary read_summary(Fields& fields, Values samples) {
  constexpr double rounding = 1e-6;      // shift of an interval's ends by rounding to seven digits
  constexpr double disagreement = 1e-5;  // more than rounding explains
  RecordSummary summary;
  const YamlNode median_node = fields.child("median_us");
  summary.median = read_microseconds(median_node);
  const double found = median(samples);
  if (std::abs(summary.median / found - 1) > disagreement)
    median_node.fail(fmt::format("is {:.7g}, but the samples have {:.7g}: edited or damaged",
                                 summary.median / seconds_per_microsecond,
                                 found / seconds_per_microsecond));
  summary.interval = read_interval(fields.child("interval_us"), summary.median);
  const YamlNode repeat_node = fields.child("repeat_interval_us");
  summary.repeat = read_interval(repeat_node, summary.median);
  if (width(summary.repeat) + rounding * summary.median < width(summary.interval))
    repeat_node.fail("is narrower than interval_us");
  return summary;
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

RecordPoint read_point(const YamlNode& node) {
  RecordPoint point;
  Fields fields = node.fields();
  const RecordKind& kind = read_kind(fields.child("kind"));
  point.kind = kind.name;
  const YamlNode parameters = fields.child("parameters");
  point.parameters = read_parameters(parameters, kind);
  fields.required("started", point.started);
  read_in(range::not_negative, fields, "warm_up_calls", point.warm_up_calls);
  read_in(range::at_least_one, fields, "calls_per_sample", point.calls_per_sample);
  read_all_samples(fields, point);
  read_visits(fields.child("visits"), point);
  fields.required("is_complete", point.is_complete);
  point.summary = read_summary(fields, point.samples());
  const YamlNode figures = fields.child("figures");
  point.figures = read_figures(figures);
  if (const auto state = fields.optional_child("device_state"))
    point.device_state = read_figures(*state);
  fields.optional("flags", point.flags);
  fields.done();
  if (point.kind == "collective") check_collective(parameters, figures, point.summary.median);
  return point;
}

std::vector<RecordPoint> read_points(const YamlNode& node) {
  std::vector<RecordPoint> points;
  std::map<std::pair<std::string, RecordParameters>, int> lines;  // lines of the points so far
  for (const YamlNode& item : node.items()) {
    const RecordPoint& point = points.emplace_back(read_point(item));
    RecordParameters sorted = point.parameters;
    std::sort(sorted.begin(), sorted.end());
    const int line = item.location().line;
    const auto [same, is_new] = lines.try_emplace({point.kind, std::move(sorted)}, line);
    if (!is_new)
      item.fail(fmt::format("kind and parameters are those of the point of line {}", same->second));
  }
  return points;
}

}  // namespace

Record load_record(const std::filesystem::path& file) {
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  const YamlNode schema_node = fields.child("tofn_record");
  int schema = 0;
  schema_node.read(schema);
  if (schema != record_schema)
    schema_node.fail(fmt::format("is schema {}, this tofn reads {}", schema, record_schema));
  Record record;
  record.provenance = read_texts(fields.child("provenance"));
  record.environment = read_texts(fields.child("environment"));
  for (const YamlNode& host : fields.child("hosts").items())
    record.hosts.push_back(read_host(host));
  record.points = read_points(fields.child("points"));
  fields.done();
  return record;
}

}  // namespace config
}  // namespace tofn
