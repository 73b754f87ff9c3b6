#include "sim/sweep/axis.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

AxisGroup group_of(const std::string& yaml) {
  return read_axis_group(YamlNode::parse(yaml, "s.yaml"));
}
std::vector<std::string> values_of(const std::string& yaml) {
  return group_of("path: accelerators\n" + yaml).axes.front().values;
}
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("the values of an axis") {
  CHECK(values_of("values: [1, 8, 64]") == Texts{"1", "8", "64"});
  CHECK(values_of("range: {from: 2, to: 5}") == Texts{"2", "3", "4", "5"});
  CHECK(values_of("range: {from: 0.1, to: 0.5, step: 0.1}") ==
        Texts{"0.1", "0.2", "0.3", "0.4", "0.5"});
  CHECK(values_of("range: {from: 1, to: 10, step: 4}") == Texts{"1", "5", "9"});
  CHECK(values_of("doubling: {from: 1, to: 9}") == Texts{"1", "2", "4", "8"});
  CHECK(values_of("doubling: {from: 0.25, to: 4}") == Texts{"0.25", "0.5", "1", "2", "4"});
  CHECK(values_of("log_range: {from: 1, to: 1000, count: 4}") == Texts{"1", "10", "100", "1000"});
  CHECK(values_of("doubling: {from: 100 Gb/s, to: 400 Gb/s}") ==
        Texts{"100 Gb/s", "200 Gb/s", "400 Gb/s"});
}

TEST_CASE("a seeded sample is the same each time, and within its ends") {
  const std::string yaml = "sample: {from: 1, to: 100, count: 50, seed: 7, spread: log}";
  const auto drawn = values_of(yaml);
  CHECK(drawn == values_of(yaml));
  CHECK(drawn != values_of("sample: {from: 1, to: 100, count: 50, seed: 8, spread: log}"));
  REQUIRE(drawn.size() == 50);
  int below_ten = 0;
  for (const std::string& text : drawn) {
    const double value = std::stod(text);
    CHECK((value >= 1 && value <= 100));
    below_ten += value < 10 ? 1 : 0;
  }
  CHECK((below_ten > 15 && below_ten < 35));  // about half, being even in the logarithm
}

TEST_CASE("an axis is called by the end of its path, a factor says so") {
  CHECK(group_of("path: cluster.network.latency\nvalues: [1 us]").axes[0].name == "latency");
  const AxisGroup factor = group_of("multiply: cluster.network.latency\nvalues: [2]");
  CHECK(factor.axes[0].name == "latency_factor");
  CHECK(factor.axes[0].multiplies);
  CHECK(group_of("path: model.parts[0].vocabulary.size\nname: words\nvalues: [2]").axes[0].name ==
        "words");
}

TEST_CASE("zipped axes move together") {
  const AxisGroup group = group_of(
      "zip:\n"
      "  - {path: batch, values: [1, 2]}\n"
      "  - {path: accelerators, values: [8, 16]}\n");
  CHECK(group.axes.size() == 2);
  CHECK(group.size() == 2);
}

TEST_CASE("a bad axis is refused at its place") {
  const auto stated = [](const std::string& yaml) { return refusal([&] { group_of(yaml); }); };
  CHECK_THAT(stated("path: batch"),
             Equals("s.yaml:1:1: needs one of values, range, log_range, doubling and sample"));
  CHECK_THAT(stated("path: batch\nvalues: []"),
             Equals("s.yaml:2:9: values: needs at least one value"));
  CHECK_THAT(stated("path: batch\nrange: {from: 8, to: 1}"),
             Equals("s.yaml:2:22: range.to: must not be below from"));
  CHECK_THAT(stated("path: x.y\nrange: {from: 1 us, to: 2 ms}"),
             Equals("s.yaml:2:25: range.to: must be in the unit of from (us)"));
  CHECK_THAT(stated("path: batch\nlog_range: {from: 0, to: 1, count: 3}"),
             Equals("s.yaml:2:19: log_range.from: must be above 0"));
  CHECK_THAT(stated("multiply: x.y\nvalues: [fast]"),
             Equals("s.yaml:1:1: 'fast' is no factor above 0"));
  CHECK_THAT(stated("zip:\n  - {path: a, values: [1, 2]}\n  - {path: b, values: [1]}\n"),
             Equals("s.yaml:2:3: zip: a has 2 values, b has 1: zipped axes have as many"));
}
