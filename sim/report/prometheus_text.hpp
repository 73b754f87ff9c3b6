#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofn {
inline namespace report {

/// Type of a metric as Prometheus distinguishes them.
enum class MetricType { Gauge, Counter };

/// Names and values of labels, e.g. `{{"cause", "growth"}}`.
using MetricLabels = std::vector<std::pair<std::string_view, std::string>>;

/// One value of a metric; its labels distinguish it from the others.
struct MetricSample {
  double value = 0;
  MetricLabels labels{};
};
using MetricSamples = std::vector<MetricSample>;

/// The sample of a metric without labels of its own; none if the value is absent.
MetricSamples sample_of(std::optional<double> value);

/// A metric of a subject: a row of the table that is printed. The name ends in the unit of its
/// values, the base unit of Prometheus' naming rules (prometheus.io/docs/practices/naming).
template <class Subject>
struct Metric {
  std::string_view name;
  MetricType type;
  std::string_view help;
  MetricSamples (*samples)(const Subject&);
};

/// Prints one metric in Prometheus' text exposition format, version 0.0.4
/// (prometheus.io/docs/instrumenting/exposition_formats): its HELP, its TYPE, and a line a sample,
/// each with the labels `every` before its own. Prints nothing if there are no samples.
std::string metric_text(std::string_view name, MetricType, std::string_view help,
                        const MetricSamples&, const MetricLabels& every);

/// Prints the rows of a table for a subject. `every` holds labels that all samples get.
template <class Subject>
std::string metrics_text(std::span<const Metric<Subject>> rows, const Subject& subject,
                         const MetricLabels& every) {
  std::string text;
  for (const Metric<Subject>& row : rows)
    text += metric_text(row.name, row.type, row.help, row.samples(subject), every);
  return text;
}

}  // namespace report
}  // namespace tofn
