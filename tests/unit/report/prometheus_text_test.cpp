#include "sim/report/prometheus_text.hpp"

#include <limits>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a metric is its HELP, its TYPE and a line a sample") {
  const MetricSamples samples{{.value = 1.5, .labels = {{"cause", "growth"}}}, {.value = -2e300}};
  CHECK(metric_text("tofn_x_seconds", MetricType::Gauge, "A time.", samples, {{"log", "a.log"}}) ==
        "# HELP tofn_x_seconds A time.\n"
        "# TYPE tofn_x_seconds gauge\n"
        "tofn_x_seconds{log=\"a.log\",cause=\"growth\"} 1.5\n"
        "tofn_x_seconds{log=\"a.log\"} -2e+300\n");
  CHECK(metric_text("tofn_x_total", MetricType::Counter, "h", sample_of(3.0), {}) ==
        "# HELP tofn_x_total h\n# TYPE tofn_x_total counter\ntofn_x_total 3\n");
}

TEST_CASE("a metric without samples is not printed") {
  CHECK(metric_text("tofn_x", MetricType::Gauge, "h", sample_of({}), {}).empty());
}

TEST_CASE("line ends, backslashes and quotes of metrics are escaped") {
  const std::string text = metric_text("tofn_x", MetricType::Gauge, "a\nb\\c\"",
                                       {{.value = 1, .labels = {{"log", "a\"\\\n"}}}}, {});
  CHECK(text ==
        "# HELP tofn_x a\\nb\\\\c\"\n# TYPE tofn_x gauge\ntofn_x{log=\"a\\\"\\\\\\n\"} 1\n");
}

TEST_CASE("values that are no numbers are spelled as Prometheus reads them") {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  constexpr double most = std::numeric_limits<double>::infinity();
  const auto value_of = [](double value) {
    const std::string text =
        metric_text("x", MetricType::Gauge, "h", {{.value = value, .labels = {}}}, {});
    return text.substr(text.rfind(' ') + 1);
  };
  CHECK(value_of(none) == "NaN\n");
  CHECK(value_of(most) == "+Inf\n");
  CHECK(value_of(-most) == "-Inf\n");
}
