#include "sim/page/sampled.hpp"

#include <algorithm>
#include <random>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

Records drawn_rows(std::size_t count) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> drawn(0, 1);
  Records records{.columns = {"index", "days", "cost_usd", "name"}, .rows = {}};
  for (std::size_t i = 0; i < count; ++i)
    records.rows.push_back({static_cast<long long>(i), drawn(random), drawn(random),
                            i % 3 == 0 ? Value{} : Value{std::string("x")}});
  return records;
}

double number(const Value& value) { return std::get<double>(value); }

}  // namespace

TEST_CASE("few rows are kept as they are") {
  const Records all = drawn_rows(50);
  CHECK(sampled(all, 50).rows == all.rows);
}

TEST_CASE("a sample keeps the front of time and cost, both ends and the order") {
  const Records all = drawn_rows(5000);
  const Records kept = sampled(all, 400);
  CHECK(kept.rows.size() >= 300);
  CHECK(kept.rows.size() <= 420);
  const auto holds = [&](const auto& row) {
    return std::find(kept.rows.begin(), kept.rows.end(), row) != kept.rows.end();
  };
  int on_front = 0;
  for (const auto& row : all.rows) {
    const bool is_beaten = std::any_of(all.rows.begin(), all.rows.end(), [&](const auto& other) {
      return number(other[1]) < number(row[1]) && number(other[2]) < number(row[2]);
    });
    if (is_beaten) continue;
    ++on_front;
    CHECK(holds(row));
  }
  CHECK(on_front > 3);
  for (const std::size_t column : {1, 2}) {
    const auto by = [&](const auto& a, const auto& b) {
      return number(a[column]) < number(b[column]);
    };
    CHECK(holds(*std::min_element(all.rows.begin(), all.rows.end(), by)));
    CHECK(holds(*std::max_element(all.rows.begin(), all.rows.end(), by)));
  }
  CHECK(std::is_sorted(kept.rows.begin(), kept.rows.end(), [](const auto& a, const auto& b) {
    return std::get<long long>(a[0]) < std::get<long long>(b[0]);
  }));
}

TEST_CASE("of rows that cost the same only the soonest is on the front") {
  Records all = drawn_rows(5000);
  for (auto& row : all.rows) row[2] = 1.0;
  CHECK(sampled(all, 400).rows.size() <= 420);
}
