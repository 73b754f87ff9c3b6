#include <string>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/compare_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/validation/coverage.hpp"

// Tests of every shipped round. The bounds of drift alarms were read off results, and ask only for
// a look.
using namespace tofn;
using namespace tofn::test;

namespace {

struct Round {
  Shipped shipped{configs};
  std::vector<PublishedRow> published;
  std::vector<BacktestRow> rows;

  explicit Round(const std::string& name)
      : published(read_published_table(configs / "published" / name)),
        rows(backtest(shipped.resolved(published), shipped.rows(), {})) {}
  ErrorTable errors() const { return error_table(rows, ""); }
};

Round& v40() {
  static Round made("mlperf-training-v4.0.csv");
  return made;
}
Round& v41() {
  static Round made("mlperf-training-v4.1.csv");
  return made;
}
Round& v50() {
  static Round made("mlperf-training-v5.0.csv");
  return made;
}

/// Names of the rows that calibrate although their run spans nodes.
std::vector<std::string> calibrating_over_nodes(const Round& round) {
  std::vector<std::string> names;
  for (const BacktestRow& row : round.rows)
    if (row.role == Role::Calibration && row.row.inputs.nodes.value_or(1) > 1)
      names.push_back(row.row.full_name());
  return names;
}

}  // namespace

// One scale-up domain may have several nodes: an NVLink rack, or a slice of a torus.
TEST_CASE("the only run over several nodes that v4.1 learns from is TPU v5p's two hosts") {
  CHECK(calibrating_over_nodes(v41()) ==
        std::vector<std::string>{"Google/cloud-tpu-v5p-16-maxdiffusion"});
  const BacktestRow* pod = nullptr;
  for (const BacktestRow& row : v41().rows)
    if (row.row.full_name() == "Google/cloud-tpu-v5p-16-maxdiffusion") pod = &row;
  REQUIRE(pod != nullptr);
  CHECK(pod->row.inputs.nodes == 2);
  const std::string text = compare_text({pod, 1}).details;
  CHECK_THAT(text, ContainsText(" C "));
  CHECK_THAT(text, ContainsText("C: the same on several nodes of one scale-up "));
}

TEST_CASE("racks of 72 are one domain: their runs calibrate, the larger ones do not") {
  int calibrating = 0;
  int larger = 0;
  for (const BacktestRow& row : v50().rows) {
    if (row.accelerator != "GB200") continue;
    CAPTURE(row.row.full_name());
    const bool is_one_rack = row.row.inputs.accelerators <= 72;
    CHECK((row.role == Role::Calibration) == is_one_rack);
    ++(is_one_rack ? calibrating : larger);
  }
  CHECK(calibrating == 33);
  CHECK(larger == 5);
}

TEST_CASE("drift alarm: errors of each round's held-out runs") {
  const auto held_out = [](const Round& round) { return round.errors().time.count; };
  CHECK(held_out(v40()) == 30);  // including the two whose step contradicts their clock
  CHECK(held_out(v41()) == 30);
  CHECK(held_out(v50()) == 37);
  CHECK(v40().errors().time.mean < 0.14);
  CHECK(v41().errors().time.mean < 0.09);
  CHECK(v50().errors().time.mean < 0.12);
}

TEST_CASE("90 % intervals hold as many published times of each round as they promise") {
  for (Round* round : {&v40(), &v41(), &v50()}) {
    const ErrorTable all = round->errors();
    CAPTURE(all.inside_interval, all.time.count);
    CHECK(is_likely(all.inside_interval, all.time.count, 0.9));
    const std::string text = compare_text(round->rows).screen;
    CHECK_THAT(text, ContainsText("Of " + std::to_string(all.time.count) + " published runs"));
    CHECK_THAT(text, ContainsText("; " + std::to_string(all.inside_interval) +
                                  " are inside their 90 % range"));
  }
}

// Compares with the table's own rows: the median score of eight, divided by the growth of N.
TEST_CASE("linear scaling divides the score of eight accelerators by the growth") {
  std::vector<double> of_eight;
  for (const BacktestRow& row : v41().rows)
    if (row.workload == "bert" && row.accelerator == "H100 SXM" &&
        row.row.inputs.accelerators == 8 && row.row.inputs.nodes.value_or(1) == 1)
      of_eight.push_back(*row.row.outcome.official_minutes);
  REQUIRE(of_eight.size() >= 3);
  int found = 0;
  for (const BacktestRow& row : v41().rows) {
    if (row.workload != "bert" || row.accelerator != "H100 SXM" ||
        row.row.inputs.nodes.value_or(1) == 1)
      continue;
    const double growth = row.row.inputs.accelerators / 8.0;
    CAPTURE(row.row.full_name());
    CHECK_THAT(row.linear_minutes.value(), WithinRel(median(of_eight) / growth, 1e-12));
    ++found;
  }
  CHECK(found >= 4);
}
