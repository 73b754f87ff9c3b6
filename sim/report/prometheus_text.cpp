#include "sim/report/prometheus_text.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tofn {
inline namespace report {
namespace {

/// Text with backslashes, line ends and, in label values, quotes escaped.
std::string escaped(std::string_view text, bool is_label) {
  std::string out;
  for (const char each : text)
    if (each == '\n')
      out += "\\n";
    else if (each == '\\' || (is_label && each == '"'))
      out += {'\\', each};
    else
      out += each;
  return out;
}

std::string number_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return fmt::format("{}", value);
}

std::string labels_text(MetricLabels labels, const MetricLabels& own) {
  labels.insert(labels.end(), own.begin(), own.end());
  if (labels.empty()) return {};
  std::vector<std::string> texts;
  for (const auto& [name, value] : labels)
    texts.push_back(fmt::format("{}=\"{}\"", name, escaped(value, true)));
  return fmt::format("{{{}}}", fmt::join(texts, ","));
}

}  // namespace

MetricSamples sample_of(std::optional<double> value) {
  if (!value) return {};
  return {{.value = *value}};
}

std::string metric_text(std::string_view name, MetricType type, std::string_view help,
                        const MetricSamples& samples, const MetricLabels& every) {
  if (samples.empty()) return {};
  std::string text = fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, escaped(help, false), name,
                                 type == MetricType::Gauge ? "gauge" : "counter");
  for (const MetricSample& each : samples)
    text +=
        fmt::format("{}{} {}\n", name, labels_text(every, each.labels), number_text(each.value));
  return text;
}

}  // namespace report
}  // namespace tofn
