#include <cmath>

#include "sim/report/compare_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Predicted: 1000 steps of 60 ms (1 min), 0.3 min of evaluation, 12 s fixed: 1.5 min, 1.2 to 1.8.
RunBreakdown prediction() {
  RunBreakdown p;
  p.step.total = 60_ms;
  p.samples = 11000;
  p.steps = 1000;
  p.training.time = 60_s;
  p.evaluation.time = 18_s;
  p.fixed.time = 12_s;
  return p;
}

/// Published: 2 min, with 50 ms steps of 10000 samples, 0.4 min of evaluation and 30 s fixed.
BacktestRow row(const std::string& workload = "bert") {
  BacktestRow row;
  row.row.inputs.benchmark = row.workload = workload;
  row.row.outcome = {.official_minutes = 2.0,
                     .unscaled_minutes = 1.8,
                     .samples = 10000,
                     .samples_deviation = {},
                     .step_ms = 50,
                     .startup_seconds = 30,
                     .evaluation_exposed_minutes = 0.4,
                     .evaluations = 4};
  row.role = Role::Validation;
  row.prediction = prediction();
  row.seconds = {.low = 72, .high = 108};
  row.linear_minutes = 2.5;
  return row;
}

}  // namespace

TEST_CASE("the errors of a row are what paper says") {
  const auto errors = row_errors(row());
  REQUIRE(errors.has_value());
  CHECK_THAT(errors->time, WithinRel(1.5 / 2 - 1, 1e-6));
  CHECK_THAT(errors->linear.value(), WithinRel(2.5 / 2 - 1, 1e-6));
  CHECK_THAT(errors->step.value(), WithinRel(60.0 / 50 - 1, 1e-6));
  CHECK_THAT(errors->samples.value(), WithinRel(0.1, 1e-6));
  CHECK_THAT(errors->evaluation.value(), WithinRel((0.3 - 0.4) / 2, 1e-6));
  CHECK_THAT(errors->fixed.value(), WithinRel((0.2 - 0.5) / 2, 1e-6));
  // Steps take 1 - (0.4 + 0.5)/1.8 = half of the run: 0.5 * (0.2 + 0.1) + 0.05 + 0.15.
  CHECK_THAT(errors->gross.value(), WithinRel(0.35, 1e-6));
  CHECK_FALSE(errors->inside_interval);  // 120 s against 72 to 108
}

TEST_CASE("what was not published has no error") {
  BacktestRow sparse = row();
  sparse.row.outcome = {.official_minutes = 1.6,
                        .unscaled_minutes = {},
                        .samples = {},
                        .samples_deviation = {},
                        .step_ms = {},
                        .startup_seconds = {},
                        .evaluation_exposed_minutes = {},
                        .evaluations = {}};
  sparse.linear_minutes.reset();
  const auto errors = row_errors(sparse);
  REQUIRE(errors.has_value());
  CHECK_THAT(errors->time, WithinRel(-0.0625, 1e-6));
  CHECK(errors->inside_interval);
  CHECK_FALSE(errors->linear.has_value());
  CHECK_FALSE(errors->step.has_value());
  CHECK_FALSE(errors->samples.has_value());
  CHECK_FALSE(errors->evaluation.has_value());
  CHECK_FALSE(errors->fixed.has_value());
  CHECK_FALSE(errors->gross.has_value());
  sparse.row.outcome.official_minutes.reset();
  CHECK_FALSE(row_errors(sparse).has_value());
  BacktestRow skipped = row();
  skipped.prediction.reset();
  CHECK_FALSE(row_errors(skipped).has_value());
}

TEST_CASE("a step that holds in-line evaluation is not scored") {
  BacktestRow unclean = row();
  unclean.row.outcome.evaluation_exposed_minutes.reset();
  CHECK_FALSE(row_errors(unclean).value().step.has_value());
  CHECK(row_errors(unclean).value().samples.has_value());
}

TEST_CASE("a row whose step contradicts its clock is scored by its time, and both sums are told") {
  std::vector<BacktestRow> rows{row(), row()};
  const double sound = row_errors(rows[0]).value().time;
  rows[1].contradiction = "its numbers contradict each other: 10 steps";
  rows[1].row.outcome.official_minutes = 3;
  REQUIRE(is_scored(rows[1]));
  CHECK(unscored_because(rows[1]).empty());
  const RowErrors errors = row_errors(rows[1]).value();
  CHECK_FALSE(errors.step.has_value());
  CHECK_FALSE(errors.gross.has_value());
  CHECK(errors.samples.has_value());
  const ErrorTable all = error_table(rows, "");
  CHECK(all.time.count == 2);
  CHECK(all.step.count == 1);
  CHECK_THAT(all.time.mean, WithinRel((std::abs(sound) + std::abs(errors.time)) / 2, 1e-9));
  CHECK(sound_error_table(rows).time.count == 1);
  CHECK_THAT(compare_text(rows).screen, ContainsText("all but !"));
  CHECK_THAT(compare_text({rows.data(), 1}).screen, !ContainsText("all but !"));
}

TEST_CASE("a table of errors scores validation rows only, and repeated runs once") {
  std::vector<BacktestRow> rows{row(), row(), row(), row(), row("retinanet")};
  rows[1].row.outcome.official_minutes = 1.2;  // predicted 25 % too long, inside the interval
  rows[2].repeats_another_row = true;
  rows[2].row.outcome.official_minutes = 100;
  rows[3].role = Role::Calibration;
  rows[3].row.outcome.official_minutes = 100;
  rows[4].row.outcome.official_minutes = 1.5;
  const ErrorTable bert = error_table(rows, "bert");
  CHECK(bert.name == "bert");
  CHECK(bert.time.count == 2);
  CHECK_THAT(bert.time.mean, WithinRel(0.25, 1e-6));  // errors are -25 % and +25 %
  CHECK_THAT(bert.time.worst, WithinRel(0.25, 1e-6));
  CHECK_THAT(bert.time.bias, WithinAbs(0.0, 1e-12));
  CHECK(bert.inside_interval == 1);
  CHECK(bert.step.count == 2);
  CHECK_THAT(bert.step.mean, WithinRel(0.2, 1e-6));
  const ErrorTable all = error_table(rows, "");
  CHECK(all.name == "all");
  CHECK(all.time.count == 3);
  CHECK_THAT(all.time.mean, WithinRel(0.5 / 3, 1e-6));
  CHECK_THAT(all.time.median, WithinRel(0.25, 1e-6));
  CHECK(error_table(rows, "llama").time.count == 0);
  CHECK(benchmarks_of(rows) == std::vector<std::string>{"bert", "retinanet"});
}

TEST_CASE("a skipped row is in no table of errors and keeps its reason") {
  std::vector<BacktestRow> rows{row(), row()};
  rows[1].role = Role::Skipped;
  rows[1].prediction.reset();
  rows[1].row.inputs.organisation = "Org";
  rows[1].row.inputs.system = "system";
  rows[1].skipped_because = "unknown accelerator 'X'";
  CHECK(error_table(rows, "").time.count == 1);
  CHECK_THAT(compare_text(rows).screen,
             ContainsText("\nleft out      1 x unknown accelerator 'X'\n"));
  CHECK_THAT(compare_text(rows).details,
             ContainsText("left out: 1 x unknown accelerator 'X':\n   bert Org/system\n"));
}

TEST_CASE("a comparison shows the runs that are farthest off, the worst first") {
  std::vector<BacktestRow> rows(12, row());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].row.inputs.system = "system-" + std::to_string(i);
    rows[i].row.outcome.official_minutes = 1.5 + 0.1 * static_cast<double>(i);
  }
  const AnswerText text = compare_text(rows);
  const std::size_t worst = text.screen.find("system-11");
  CHECK(worst < text.screen.find("system-10"));
  CHECK(text.screen.find("system-1 ") == std::string::npos);
  CHECK_THAT(text.details, ContainsText("system-1 "));
}

TEST_CASE("rows that spell one workload two ways share its table") {
  std::vector<BacktestRow> rows{row("retinanet"), row("retinanet")};
  rows[1].row.inputs.benchmark = "ssd";
  CHECK(error_table(rows, "retinanet").time.count == 2);
  CHECK(benchmarks_of(rows) == std::vector<std::string>{"retinanet"});
}

TEST_CASE("a comparison without anything to score says so") {
  std::vector<BacktestRow> rows{row()};
  rows[0].role = Role::Calibration;
  CHECK_THAT(compare_text(rows).screen,
             ContainsText("No published time to hold a prediction against"));
}

TEST_CASE("a comparison says whether its coverage is consistent with 90 %") {
  // One run outside has a chance of 10 %. Two of two outside have 0.1^2 = 1 %.
  std::vector<BacktestRow> rows{row()};
  rows[0].row.outcome.official_minutes = 100;
  CHECK_THAT(compare_text(rows).screen,
             ContainsText("0 of 1 published times lie inside (0 %), which is consistent with 90 % "
                          "(0 or fewer: p = 0.1,"));
  rows.push_back(rows[0]);
  CHECK_THAT(
      compare_text(rows).screen,
      ContainsText("0 of 2 published times lie inside (0 %), which is too few for 90 % (0 or "
                   "fewer: p = 0.01,"));
}

TEST_CASE("a comparison says where terms cancel") {
  std::vector<BacktestRow> rows{row()};
  CHECK_THAT(compare_text(rows).screen, !ContainsText("cancellation"));  // 35 % gross, 25 % in all
  rows[0].row.outcome.official_minutes = 1.55;
  CHECK_THAT(
      compare_text(rows).screen,
      ContainsText(
          "cancellation  bert: errors of steps, samples, evaluation and start-up partly cancel: "));
}

TEST_CASE("every record of a comparison has a cell for every column") {
  std::vector<BacktestRow> rows{row(), row()};
  RunEstimate estimate;
  estimate.expected.score_minutes = 1.5;
  estimate.time.interval = {1.2 / 1.5, 1};
  estimate.expected.step_seconds = 0.06;
  estimate.expected.start_up_seconds = 12;
  rows[0].estimate = std::make_shared<const RunEstimate>(estimate);
  rows[1].prediction.reset();
  const Records records = compare_records(rows);
  REQUIRE(records.rows.size() == 2);
  for (const auto& record : records.rows) REQUIRE(record.size() == records.columns.size());
  const auto cell = [&](std::size_t record, const std::string& column) {
    for (std::size_t c = 0; c < records.columns.size(); ++c)
      if (records.columns[c] == column) return records.rows[record][c];
    FAIL("no column " << column);
    return Value{};
  };
  CHECK_THAT(std::get<double>(cell(0, "time_to_train_min")), WithinRel(1.5, 1e-6));
  CHECK_THAT(std::get<double>(cell(0, "time_to_train_min_low90")), WithinRel(1.2, 1e-6));
  CHECK_THAT(std::get<double>(cell(0, "error_percent")), WithinRel(-25.0, 1e-6));
  CHECK_THAT(std::get<double>(cell(0, "published_step_s")), WithinRel(0.05, 1e-6));
  CHECK_THAT(std::get<double>(cell(0, "step_s")), WithinRel(0.06, 1e-6));
  CHECK(std::get<double>(cell(0, "start_up_s")) == 12);
  CHECK(cell(1, "time_to_train_min") == Value{});
}

TEST_CASE("the chance of so few intervals that hold, by counting") {
  // Three coin tosses fall in 1, 3, 3 and 1 of 8 ways.
  CHECK_THAT(chance_of_so_few(0, 3, 0.5), WithinRel(1.0 / 8, 1e-12));
  CHECK_THAT(chance_of_so_few(1, 3, 0.5), WithinRel(4.0 / 8, 1e-12));
  CHECK(chance_of_so_few(3, 3, 0.5) == 1);
  // Two at the other end: 0.1 x 0.1, and 1 - 0.9 x 0.9.
  CHECK_THAT(chance_of_so_few(0, 2, 0.9), WithinRel(0.01, 1e-12));
  CHECK_THAT(chance_of_so_few(1, 2, 0.9), WithinRel(0.19, 1e-12));
  CHECK(chance_of_so_few(0, 0, 0.9) == 1);
}
