#include <algorithm>
#include <map>
#include <string>

#include "sim/report/scale_report.hpp"
#include "tests/catch.hpp"
#include "tests/unit/scaling/points.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

using ScaleRow = std::map<std::string, Value>;

std::vector<ScaleRow> scale_rows(const ScaleAnswer& answer) {
  const Records records = scale_point_records(answer);
  std::vector<ScaleRow> rows;
  for (const auto& cells : records.rows) {
    ScaleRow& row = rows.emplace_back();
    for (std::size_t i = 0; i < cells.size(); ++i) row[records.columns[i]] = cells[i];
  }
  return rows;
}

double of(const ScaleRow& row, const char* column) { return std::get<double>(row.at(column)); }

ScaleSeries two_sizes(const char* name) {
  return {.name = name,
          .rule = {},
          .points = {point_of(8, 1000, 6), point_of(16, 1200, 3)},
          .refused = {}};
}

ScaleAnswer scaled_by(const char* main) {
  ScaleAnswer answer;
  answer.main = two_sizes(main);
  answer.strong = two_sizes("strong");
  answer.weak = two_sizes("weak");
  answer.times = times_of(answer.main->points);
  return answer;
}

}  // namespace

TEST_CASE("a series that was asked for stands once in the records") {
  CHECK(scale_rows(scaled_by("soonest")).size() == 6);
  for (const char* request : {"strong", "weak"}) {
    const auto rows = scale_rows(scaled_by(request));
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].at("series") == Value{std::string(request)});
    CHECK(rows[2].at("series") != rows[0].at("series"));
  }
}

TEST_CASE("speedup is of the time to the target in every series, beside it that of samples/s") {
  const auto points = two_sizes("any").points;
  const double of_time = points[0].time() / points[1].time();
  const double of_samples = points[0].seconds_per_sample() / points[1].seconds_per_sample();
  REQUIRE(of_time < 0.95 * of_samples);  // 1,200 samples, not 1,000
  const auto rows = scale_rows(scaled_by("soonest"));
  for (const std::size_t second : {1, 3, 5}) {
    CHECK_THAT(of(rows[second], "speedup"), WithinRel(of_time, 1e-12));
    CHECK_THAT(of(rows[second], "efficiency"), WithinRel(of_time / 2, 1e-12));
    CHECK_THAT(of(rows[second], "sample_speedup"), WithinRel(of_samples, 1e-12));
    CHECK_THAT(of(rows[second], "sample_efficiency"), WithinRel(of_samples / 2, 1e-12));
  }
}
