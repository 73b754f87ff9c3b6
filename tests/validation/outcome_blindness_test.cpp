#include <string>
#include <vector>

#include "sim/core/random.hpp"
#include "sim/core/records.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/compare_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

RowOutcome random_outcome(Random& random) {
  const auto any = [&] { return 0.01 + 1000 * random.uniform(); };
  return {.official_minutes = any(),
          .unscaled_minutes = any(),
          .samples = any(),
          .samples_deviation = any(),
          .step_ms = any(),
          .startup_seconds = any(),
          .evaluation_exposed_minutes = any(),
          .evaluations = any()};
}

/// Columns of the comparison that state predictions, as text.
std::string predicted_columns(const std::vector<BacktestRow>& rows) {
  Records records = compare_records(rows);
  Records kept;
  for (std::size_t c = 0; c < records.columns.size(); ++c) {
    const std::string& name = records.columns[c];
    const bool is_outcome = name.starts_with("published_") || name == "error_percent" ||
                            name == "repeats_another_row" || name == "contradiction";
    if (is_outcome) continue;
    kept.columns.push_back(name);
    kept.rows.resize(records.rows.size());
    for (std::size_t r = 0; r < records.rows.size(); ++r)
      kept.rows[r].push_back(records.rows[r][c]);
  }
  return to_csv(kept);
}

std::string predictions(Shipped& shipped, const std::vector<PublishedRow>& table,
                        const std::vector<ResolvedRow>& background) {
  return predicted_columns(backtest(shipped.resolved(table), background, {.estimates = true}));
}

}  // namespace

TEST_CASE("predictions do not read the outcomes of the rows that validate them") {
  Shipped shipped(configs);
  const auto resolved = shipped.resolved(default_published_table(configs));
  const auto table = read_published_table(default_published_table(configs));
  std::vector<PublishedRow> scrambled = table;
  std::vector<ResolvedRow> scrambled_background = shipped.rows();
  Random random(7);
  int validation = 0;
  int calibration = -1;
  for (std::size_t i = 0; i < scrambled.size(); ++i) {
    REQUIRE(resolved[i].run);
    if (is_in_one_domain(*resolved[i].run)) {
      calibration = static_cast<int>(i);
      continue;
    }
    scrambled[i].outcome = random_outcome(random);
    ++validation;
  }
  for (ResolvedRow& row : scrambled_background)
    if (row.run && !is_in_one_domain(*row.run)) row.row.outcome = random_outcome(random);
  REQUIRE(validation > 25);

  const std::string before = predictions(shipped, table, shipped.rows());
  CHECK(predictions(shipped, scrambled, scrambled_background) == before);

  SECTION("the comparison would notice: an outcome of a calibrating row changes predictions") {
    scrambled[static_cast<std::size_t>(calibration)].outcome = random_outcome(random);
    CHECK(predictions(shipped, scrambled, scrambled_background) != before);
  }
}
