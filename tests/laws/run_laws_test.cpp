#include "sim/training/run.hpp"
#include "tests/catch.hpp"
#include "tests/laws/runs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

template <class F>
void run_laws_for_each_case(F f) {
  static const std::vector<RunCase> cases = run_cases();
  for (const RunCase& each : cases) {
    INFO(each.description.workload->name << " on " << each.description.cluster->name << ", "
                                         << each.description.plan.accelerators());
    f(RunModel(each.description, each.parameters));
  }
}

RunDraw neutral(const RunModel& model) {
  RunDraw draw;
  draw.fixed = model.parameters().fixed.value;
  draw.samples = model.parameters().samples.expected;
  return draw;
}

bool same(const Interval& a, const Interval& b) { return a.low == b.low && a.high == b.high; }

}  // namespace

TEST_CASE("an expected run trains to its samples, and its score is scaled a little") {
  run_laws_for_each_case([](const RunModel& model) {
    const RunBreakdown run = model.expected();
    CHECK_THAT(run.steps * model.description().plan.global_batch(),
               WithinRel(model.parameters().samples.expected, 1e-12));
    CHECK(run.fixed.time == Seconds{20});
    CHECK(run.score_scaling.time >= Seconds{});
    CHECK(run.score_scaling.time < 0.1 * run.total().time);
  });
}

TEST_CASE("each interval more to the target costs its steps and one evaluation") {
  run_laws_for_each_case([](const RunModel& model) {
    const double interval = model.evaluation_interval();
    if (interval == 0) return;  // no evaluation is part of the run
    const auto time_to = [&](double intervals) {
      RunDraw draw = neutral(model);
      draw.samples = intervals * interval;
      return model.evaluate(draw).total().time;
    };
    const Seconds steps =
        interval / model.description().plan.global_batch() * model.step().times().total;
    const Seconds evaluation = model.parameters().evaluation_factor.value * model.evaluation_time();
    CHECK_THAT((time_to(101) - time_to(100)).base(), WithinRel((steps + evaluation).base(), 1e-9));
  });
}

TEST_CASE("the expectation is the evaluation of a neutral draw") {
  run_laws_for_each_case([](const RunModel& model) {
    const RunBreakdown expected = model.expected();
    const RunBreakdown drawn = model.evaluate(neutral(model));
    CHECK(drawn.score_scaling.time == Seconds{});
    CHECK(drawn.training == expected.training);
    CHECK(drawn.evaluation == expected.evaluation);
    CHECK(drawn.fixed == expected.fixed);
    CHECK(drawn.step.total == expected.step.total);
  });
}

TEST_CASE("a run that needs more samples never ends earlier") {
  run_laws_for_each_case([](const RunModel& model) {
    RunDraw draw = neutral(model);
    Seconds before;
    for (int i = 0; i < 10; ++i) {
      const Seconds time = model.evaluate(draw).total().time;
      CHECK(time > before);
      before = time;
      draw.samples *= 1.3;
    }
  });
}

TEST_CASE("a prediction's intervals hold its expectation") {
  run_laws_for_each_case([](const RunModel& model) {
    const RunPrediction prediction = predict(model, 1);
    const RunBreakdown& expected = prediction.expected;
    CHECK(prediction.total_seconds.contains(expected.total().time.base()));
    CHECK(prediction.step_seconds.contains(expected.step.total.base()));
    CHECK(prediction.evaluation_seconds.contains(expected.evaluation.time.base()));
    CHECK(prediction.fixed_seconds.contains(expected.fixed.time.base()));
    CHECK(prediction.samples.low <= expected.samples * (1 + 1e-12));
    CHECK(prediction.samples.high >= expected.samples * (1 - 1e-12));
    CHECK(prediction.total_seconds.low < prediction.total_seconds.high);
  });
}

TEST_CASE("equal seeds give equal intervals, other seeds others") {
  run_laws_for_each_case([](const RunModel& model) {
    const RunPrediction first = predict(model, 7);
    const RunPrediction again = predict(model, 7);
    const RunPrediction other = predict(model, 8);
    CHECK(same(first.total_seconds, again.total_seconds));
    CHECK(same(first.step_seconds, again.step_seconds));
    CHECK(same(first.samples, again.samples));
    CHECK_FALSE(same(first.total_seconds, other.total_seconds));
    CHECK_FALSE(same(first.step_seconds, other.step_seconds));
    CHECK(first.expected.total() == other.expected.total());
  });
}
