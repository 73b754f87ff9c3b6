#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "sim/core/json.hpp"
#include "sim/core/record.hpp"

namespace tofn {
namespace {

/// Text of `open`, the items separated by ", ", and `close`.
template <class Items, class Text>
std::string joined(char open, const Items& items, char close, const Text& text_of) {
  std::string text(1, open);
  for (const auto& item : items) text += (text.size() == 1 ? "" : ", ") + text_of(item);
  return text + close;
}

template <class Pairs, class Text>
std::string object(const Pairs& pairs, const Text& text_of) {
  return joined('{', pairs, '}', [&](const auto& pair) {
    return json_text(pair.first) + ": " + text_of(pair.second);
  });
}

std::string texts(const RecordTexts& pairs) { return object(pairs, json_text); }

std::string list(const std::vector<std::string>& items) {
  return joined('[', items, ']', json_text);
}

std::string value_text(const RecordValue& value) {
  return std::visit(
      [](const auto& held) -> std::string {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::string>)
          return json_text(held);
        else if constexpr (std::is_same_v<Held, double>)
          return json_number(held);
        else
          return fmt::format("{}", held);
      },
      value);
}

/// Text of figures. A figure that is not finite could not be derived and is left out.
std::string figures_text(const RecordFigures& figures) {
  RecordFigures known;
  for (const auto& figure : figures)
    if (std::isfinite(figure.second)) known.push_back(figure);
  return object(known, [](double figure) { return json_number(figure); });
}

std::string microseconds(double seconds) {
  constexpr int digits = 7;  // 1 ns of 10 ms, which is finer than any clock used
  return json_number(seconds * 1e6, digits);
}
std::string microseconds(std::span<const double> samples) {
  return joined('[', samples, ']', [](double sample) { return microseconds(sample); });
}
std::string microseconds(const Interval& interval) {
  return microseconds(std::vector{interval.low, interval.high});
}

std::string host_text(const RecordHost& host) {
  return fmt::format(R"({{"name": {}, "ranks": {}, "devices": {}}})", json_text(host.name),
                     host.ranks, list(host.devices));
}

}  // namespace

std::string to_json(const RecordPoint& point) {
  std::string text = fmt::format(
      "{{\"kind\": {}, \"parameters\": {}, \"started\": {}, \"warm_up_calls\": {}, "
      "\"calls_per_sample\": {}, \"visits\": {}, \"is_complete\": {}, \"median_us\": {}, "
      "\"interval_us\": {}, "
      "\"repeat_interval_us\": {}, \"figures\": {}",
      json_text(point.kind), object(point.parameters, value_text), json_text(point.started),
      point.warm_up_calls, point.calls_per_sample,
      joined('[', point.visits, ']', [](int samples) { return fmt::format("{}", samples); }),
      point.is_complete, microseconds(point.summary.median), microseconds(point.summary.interval),
      microseconds(point.summary.repeat), figures_text(point.figures));
  const std::string device_state = figures_text(point.device_state);
  if (device_state != "{}") text += ", \"device_state\": " + device_state;
  if (!point.flags.empty()) text += ", \"flags\": " + list(point.flags);
  text += ", \"host_samples_us\": " + microseconds(point.host_samples);
  if (!point.device_samples.empty())
    text += ", \"device_samples_us\": " + microseconds(point.device_samples);
  return text + '}';
}

std::string json_head(const Record& record) {
  std::string hosts;
  for (const RecordHost& host : record.hosts)
    hosts += (hosts.empty() ? "\n  " : ",\n  ") + host_text(host);
  return fmt::format(
      "{{\n \"tofn_record\": {},\n \"provenance\": {},\n \"environment\": {},\n \"hosts\": [{}],\n "
      "\"points\": [\n",
      record_schema, texts(record.provenance), texts(record.environment), hosts);
}

std::string_view json_tail() { return "\n ]\n}\n"; }

std::string to_json(const Record& record) {
  std::string text = json_head(record);
  bool is_first = true;
  for (const RecordPoint& point : record.points) {
    if (!is_first) text += ",\n";
    is_first = false;
    text += to_json(point);
  }
  return text.append(json_tail());
}

}  // namespace tofn
