#include "sim/curves/repeats.hpp"

#include <cmath>
#include <random>
#include <vector>

#include "tests/catch.hpp"

namespace tofn {

namespace {

using test::WithinRel;

CollectiveTable job_of(std::string file, const std::vector<double>& microseconds, int ranks = 8) {
  CollectiveTable table;
  table.file = std::move(file);
  table.ranks = ranks;
  table.nodes = 1;
  double size = 8;
  for (const double each : microseconds) {
    table.rows.push_back(
        {.size = Bytes(size), .out_of_place = Seconds(each * 1e-6), .in_place = std::nullopt});
    size *= 2;
  }
  return table;
}

std::vector<RepeatedTable> repeats_of(const std::vector<CollectiveTable>& jobs) {
  std::vector<const CollectiveTable*> tables;
  for (const CollectiveTable& job : jobs) tables.push_back(&job);
  return repeats_among(tables);
}

}  // namespace

TEST_CASE("jobs that measured alike tell where another one lies") {
  const std::vector jobs{job_of("a", {10, 100}), job_of("b", {11, 100}),
                         job_of("c", {10, 100}, 16)};
  const auto repeats = repeats_of(jobs);
  REQUIRE(repeats.size() == 1);  // 16 ranks are no repeat
  CHECK(repeats[0].tables.size() == 2);
  REQUIRE(repeats[0].sizes.size() == 2);
  // Two values a apart in logarithms give 12.706 x a / sqrt(2) x sqrt(1 + 1/2) around their middle.
  const double half_width = 12.706 * std::log(1.1) / std::sqrt(2.0) * std::sqrt(1.5);
  CHECK_THAT(repeats[0].sizes[0].another.high,
             WithinRel(std::sqrt(10e-6 * 11e-6) * std::exp(half_width), 1e-3));
  CHECK_THAT(repeats[0].sizes[1].another.low, WithinRel(100e-6, 1e-9));
  CHECK(repeats[0].request == 0);
}

TEST_CASE("a size that one of the jobs does not have is left out") {
  const auto repeats = repeats_of({job_of("a", {10, 100}), job_of("b", {10})});
  REQUIRE(repeats.size() == 1);
  CHECK(repeats[0].sizes.size() == 1);
  CHECK(repeats_of({job_of("a", {10})}).empty());
}

TEST_CASE("tables of one job, or measured in another way, are no repeats") {
  // Leaders and rails of two nodes have equal numbers of ranks in one record.
  CHECK(repeats_of({job_of("a", {10, 100}), job_of("a", {11, 100})}).empty());
  std::vector jobs{job_of("a", {10, 100}), job_of("b", {11, 100})};
  jobs[1].setting = "registered=true ";
  CHECK(repeats_of(jobs).empty());
}

TEST_CASE("the interval for another job holds 95 times in 100") {
  std::mt19937 chance(1);  // the same numbers each time
  std::normal_distribution<double> noise(0, 0.3);
  int foretold = 0;
  int request = 0;
  for (int study = 0; study < 500; ++study) {
    std::vector<CollectiveTable> jobs;
    for (int job = 0; job < 5; ++job)
      jobs.push_back(job_of(std::to_string(job),
                            {10 * std::exp(noise(chance)), 100 * std::exp(noise(chance))}));
    const auto repeats = repeats_of(jobs);
    foretold += repeats[0].foretold;
    request += repeats[0].request;
  }
  CHECK(request == 3000);
  CHECK(foretold > 0.94 * request);
  CHECK(foretold < 0.96 * request);
}

}  // namespace tofn
