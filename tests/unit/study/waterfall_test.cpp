#include "sim/study/waterfall.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Cost cost(double seconds) { return {Seconds{seconds}, Basis::Measured}; }

/// A run of 100 samples a step whose official time is 1 % above its logged times.
BacktestRow row_of(const std::string& organisation, int accelerators, double samples,
                   double step_seconds, double evaluation_seconds, double start_seconds) {
  BacktestRow row;
  row.workload = "bert";
  row.accelerator = "H100";
  row.role = Role::Validation;
  row.row.inputs.organisation = organisation;
  row.row.inputs.system = std::to_string(accelerators);
  row.row.inputs.accelerators = accelerators;
  row.row.inputs.global_batch = 100;
  const double seconds = samples / 100 * step_seconds + evaluation_seconds + start_seconds;
  row.row.outcome.samples = samples;
  row.row.outcome.step_ms = step_seconds * 1e3;
  row.row.outcome.evaluation_exposed_minutes = evaluation_seconds / 60;
  row.row.outcome.startup_seconds = start_seconds;
  row.row.outcome.official_minutes = seconds * 1.01 / 60;
  return row;
}

/// Predicts a run by the seconds of work, exposed communication and waiting in a step.
void predict_run(BacktestRow& row, double samples, double work, double exposed, double waiting) {
  RunBreakdown run;
  PartTimes& parts = run.step.parts;
  part(parts, StepPart::Compute) = Seconds{work * 0.5};
  part(parts, StepPart::Launch) = Seconds{work * 0.25};
  part(parts, StepPart::Optimizer) = Seconds{work * 0.25};
  part(parts, StepPart::Data) = Seconds{exposed};
  part(parts, StepPart::Imbalance) = Seconds{waiting};
  run.step.total = Seconds{work + exposed + waiting};
  run.samples = samples;
  run.steps = samples / row.row.inputs.global_batch;
  run.training = cost(run.steps * (work + exposed + waiting));
  run.evaluation = cost(20);
  run.fixed = cost(10);
  row.prediction = run;
}

}  // namespace

TEST_CASE("the factors of a loss, by hand") {
  BacktestRow base = row_of("a", 8, 10'000, 8, 160, 40);     // 800 s of steps
  BacktestRow large = row_of("a", 64, 20'000, 1, 50, 62.5);  // 200 s
  predict_run(base, 10'000, 8, 0, 0);
  predict_run(large, 20'000, 1, 0.25, 0.125);
  const std::vector<BacktestRow> rows{base, large};
  const auto found = waterfalls(rows);
  REQUIRE(found.size() == 1);
  const Losses& measured = found[0].measured;
  CHECK(found[0].base_system == "a/8");
  CHECK(measured.samples == 0.5);
  CHECK(measured.step == 1);                                               // 8 s x 8 equal 1 s x 64
  CHECK_THAT(measured.evaluation, WithinRel(1.2 / 1.25, 1e-12));           // 960/800 over 250/200
  CHECK_THAT(measured.start_up, WithinRel((1000.0 / 960) / 1.25, 1e-12));  // 312.5/250 on 64
  CHECK_THAT(measured.score, WithinRel(1.0, 1e-12));
  // The runs took 1010 s on 8 and 315.625 s on 64.
  CHECK_THAT(measured.total, WithinRel(1010.0 * 8 / (315.625 * 64), 1e-12));
  CHECK_THAT(found[0].predicted_step.granularity, WithinRel(1.0, 1e-12));
  CHECK_THAT(found[0].predicted_step.communication, WithinRel(1 / 1.25, 1e-12));
  CHECK_THAT(found[0].predicted_step.waiting, WithinRel(1.25 / 1.375, 1e-12));
  CHECK_THAT(found[0].predicted.step, WithinRel(1 / 1.375, 1e-12));
  CHECK_THAT(found[0].server, WithinRel(1.375, 1e-12));
  // The predictions are 800 + 30 s and 275 + 30 s.
  CHECK_THAT(found[0].predicted.total, WithinRel(830.0 * 8 / (305.0 * 64), 1e-12));
}

TEST_CASE("the base is of the same organisation, else of median time") {
  BacktestRow fast = row_of("a", 8, 10'000, 7, 0, 0);
  BacktestRow middle = row_of("b", 8, 10'000, 8, 0, 0);
  BacktestRow slow = row_of("c", 8, 10'000, 9, 0, 0);
  BacktestRow large = row_of("c", 64, 10'000, 1, 0, 0);
  BacktestRow strange = row_of("d", 64, 10'000, 1.1, 0, 0);
  std::vector<BacktestRow> rows{strange, fast, middle, slow, large};
  for (BacktestRow& row : rows) predict_run(row, 10'000, 1, 0, 0);
  const auto found = waterfalls(rows);
  REQUIRE(found.size() == 2);
  CHECK(found[0].system == "d/64");
  CHECK(found[0].base_system == "b/8");
  CHECK(found[1].system == "c/64");
  CHECK(found[1].base_system == "c/8");
}

TEST_CASE("steps hold the evaluations of both runs where one did not log them apart") {
  BacktestRow base = row_of("a", 8, 10'000, 8, 160, 40);
  BacktestRow large = row_of("a", 64, 10'000, 1.5, 0, 50);
  large.row.outcome.evaluation_exposed_minutes.reset();
  predict_run(base, 10'000, 8, 0, 0);
  predict_run(large, 10'000, 1, 0, 0);
  const std::vector<BacktestRow> rows{base, large};
  const auto found = waterfalls(rows);
  REQUIRE(found.size() == 1);
  CHECK_FALSE(found[0].evaluations_apart);
  CHECK(found[0].measured.evaluation == 1);
  CHECK_THAT(found[0].measured.step, WithinRel(960.0 * 8 / (150 * 64), 1e-12));
  CHECK_THAT(found[0].measured.total, WithinRel(1010.0 * 8 / (202 * 64), 1e-12));
}

TEST_CASE("no base, no prediction or no steps: no waterfall") {
  BacktestRow large = row_of("a", 64, 10'000, 1, 0, 0);
  BacktestRow base = row_of("a", 8, 10'000, 8, 0, 0);
  predict_run(large, 10'000, 1, 0, 0);
  CHECK(waterfalls(std::vector{large}).empty());
  CHECK(waterfalls(std::vector{base, large}).empty());  // the base has no prediction
  predict_run(base, 10'000, 8, 0, 0);
  CHECK(waterfalls(std::vector{base, large}).size() == 1);
  large.row.outcome.step_ms.reset();
  CHECK(waterfalls(std::vector{base, large}).empty());
}
