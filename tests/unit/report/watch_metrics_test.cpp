#include "sim/report/watch_metrics.hpp"

#include <fstream>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

/// Value of the line that begins with `series`; absent if there is none.
std::optional<double> value_in(const std::string& text, const std::string& series) {
  const std::size_t at = text.find('\n' + series + ' ');
  if (at == text.npos) return {};
  return std::stod(text.substr(at + series.size() + 2));
}

std::set<std::string> metric_names() {
  std::set<std::string> names;
  for (const auto& each : step_metrics()) names.emplace(each.name);
  for (const auto& each : collective_metrics()) names.emplace(each.name);
  return names;
}

const nlohmann::json& board() {
  static const nlohmann::json board = [] {
    std::ifstream file(TOFN_SOURCE_DIR "/configs/dashboards/tofn.json");
    return nlohmann::json::parse(file);
  }();
  return board;
}

/// Names of metrics in a text of PromQL.
std::set<std::string> names_in(const std::string& text) {
  static const std::regex name("tofn_[a-z_]+");
  std::set<std::string> names;
  for (std::sregex_iterator each(text.begin(), text.end(), name), end; each != end; ++each)
    names.insert(each->str());
  return names;
}

}  // namespace

TEST_CASE("metrics of steps say when the job ends, and how its steps compare") {
  WatchAnswer now{.recent = Seconds{2.0}, .iteration = 100, .iterations = 1000};
  now.left = Seconds{1800};
  now.left_low = Seconds{1700};
  now.left_high = Seconds{1950};
  now.written = 1'700'000'000;
  now.drift = 0.25;  // predicted: 1.6 s
  now.own_drift = 0.5;
  now.cause = drift_causes().front().sentence;
  const std::string text = watch_metrics(now, "train.log");
  const auto value = [&](const std::string& name) {
    return value_in(text, name + "{log=\"train.log\"}");
  };
  CHECK(value("tofn_end_timestamp_seconds") == 1'700'001'800);
  CHECK(value("tofn_end_low_timestamp_seconds") == 1'700'001'700);
  CHECK(value("tofn_end_high_timestamp_seconds") == 1'700'001'950);
  CHECK(value("tofn_step_seconds") == 2.0);
  CHECK_THAT(value("tofn_step_expected_seconds").value(), WithinRel(1.6, 1e-12));
  CHECK(value("tofn_steps_per_second") == 0.5);
  CHECK_THAT(value("tofn_steps_expected_per_second").value(), WithinRel(0.625, 1e-12));
  CHECK(value("tofn_step_drift_ratio") == 0.25);
  CHECK(value("tofn_ended") == 0);
  double suspected = 0;
  for (const DriftCause& each : drift_causes())
    suspected +=
        value_in(text, fmt::format("tofn_drift_cause{{log=\"train.log\",cause=\"{}\"}}", each.name))
            .value();
  CHECK(suspected == 1);
  CHECK(value_in(text, fmt::format("tofn_drift_cause{{log=\"train.log\",cause=\"{}\"}}",
                                   drift_causes().front().name)) == 1);
}

TEST_CASE("metrics leave out what a log does not say") {
  const std::string text = watch_metrics(WatchAnswer{.recent = Seconds{2.0}}, "a.log");
  CHECK(text.find("tofn_end_timestamp") == text.npos);
  CHECK(text.find("expected") == text.npos);
  CHECK(text.find("tofn_step_seconds{log=\"a.log\"} 2\n") != text.npos);
}

TEST_CASE("metrics of collectives name kind, communicator and size") {
  const WatchedCollectives now{.kinds = {{.communicator = "0xa",
                                          .ranks = 32,
                                          .nodes = 4,
                                          .size = Bytes{1024},
                                          .calls = 12,
                                          .newest = BytesPerSecond{4e9},
                                          .expected = BytesPerSecond{5e9}}}};
  const std::string text = watch_metrics(now, "pid.log");
  const std::string labels =
      "{log=\"pid.log\",collective=\"all-reduce\",communicator=\"0xa\",ranks=\"32\",size_bytes="
      "\"1024\",nodes=\"4\"}";
  CHECK(value_in(text, "tofn_collective_bus_bandwidth_bytes_per_second" + labels) == 4e9);
  CHECK(value_in(text, "tofn_collective_expected_bus_bandwidth_bytes_per_second" + labels) == 5e9);
  CHECK(value_in(text, "tofn_collective_calls_total" + labels) == 12);
}

TEST_CASE("a metric's name is unique, and ends in the unit of its values") {
  CHECK(metric_names().size() == step_metrics().size() + collective_metrics().size());
  const std::regex form("tofn_[a-z]+(_[a-z]+)*");
  for (const std::string& name : metric_names()) CHECK(std::regex_match(name, form));
  for (const auto& each : step_metrics())
    CHECK((each.type == MetricType::Counter) == each.name.ends_with("_total"));
  for (const auto& each : collective_metrics())
    CHECK((each.type == MetricType::Counter) == each.name.ends_with("_total"));
}

TEST_CASE("the board draws every metric, and none that does not exist") {
  std::set<std::string> drawn;
  for (const auto& panel : board().at("panels"))
    for (const auto& target : panel.at("targets"))
      drawn.merge(names_in(target.at("expr").get<std::string>()));
  CHECK(drawn == metric_names());
  for (const auto& variable : board().at("templating").at("list"))
    for (const std::string& name : names_in(variable.dump()))
      CHECK(metric_names().count(name) == 1);
}

TEST_CASE("panels of the board lie beside each other on its 24 columns") {
  std::set<std::pair<int, int>> taken;
  std::set<int> ids;
  for (const auto& panel : board().at("panels")) {
    const auto& at = panel.at("gridPos");
    CHECK(ids.insert(panel.at("id").get<int>()).second);
    CHECK(at.at("x").get<int>() + at.at("w").get<int>() <= 24);
    for (int x = 0; x < at.at("w").get<int>(); ++x)
      for (int y = 0; y < at.at("h").get<int>(); ++y)
        CHECK(taken.emplace(at.at("x").get<int>() + x, at.at("y").get<int>() + y).second);
  }
}
