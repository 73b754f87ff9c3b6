#include "sim/training/run_estimate.hpp"
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
    f(benchmark_run(each.description, each.parameters));
  }
}

double expected_samples(const Run& run) { return run.benchmark->parameters.samples.expected; }

bool same(const Interval& a, const Interval& b) { return a.low == b.low && a.high == b.high; }

}  // namespace

TEST_CASE("an expected run trains to its samples, and its score is scaled a little") {
  run_laws_for_each_case([](const Run& model) {
    const RunBreakdown run = model.expected();
    CHECK_THAT(run.steps * model.stretches[0].step->samples(),
               WithinRel(expected_samples(model), 1e-12));
    CHECK(run.fixed.time == Seconds{20});
    CHECK(run.score_scaling.time >= Seconds{});
    CHECK(run.score_scaling.time < 0.1 * run.total().time);
  });
}

TEST_CASE("each interval more to the target costs its steps and one evaluation") {
  run_laws_for_each_case([](const Run& model) {
    const Evaluations& evaluations = model.stretches[0].evaluations;
    const double interval = evaluations.interval;
    if (interval == 0) return;  // no evaluation is part of the run
    const auto time_to = [&](double intervals) {
      RunDraw draw;
      draw.samples = intervals * interval / expected_samples(model);
      return model.evaluate(draw).total().time;
    };
    const Seconds steps =
        interval / model.stretches[0].step->samples() * model.stretches[0].step->times().total;
    const Seconds evaluation = model.benchmark->parameters.evaluation_factor.value *
                               evaluations.each(*model.stretches[0].step);
    CHECK_THAT((time_to(101) - time_to(100)).base(), WithinRel((steps + evaluation).base(), 1e-9));
  });
}

TEST_CASE("the expectation is the evaluation of a neutral draw") {
  run_laws_for_each_case([](const Run& model) {
    const RunBreakdown expected = model.expected();
    const RunBreakdown drawn = model.evaluate({});
    CHECK(drawn.score_scaling.time == Seconds{});
    CHECK(drawn.training == expected.training);
    CHECK(drawn.evaluation == expected.evaluation);
    CHECK(drawn.fixed == expected.fixed);
    CHECK(drawn.step.total == expected.step.total);
  });
}

TEST_CASE("a run that needs more samples never ends earlier") {
  run_laws_for_each_case([](const Run& model) {
    RunDraw draw;
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
  run_laws_for_each_case([](const Run& model) {
    const RunEstimate made = estimate(model);
    for (const auto figure :
         {&RunFigures::score_minutes, &RunFigures::step_seconds, &RunFigures::evaluation_seconds,
          &RunFigures::start_up_seconds, &RunFigures::samples}) {
      const Interval interval = made.interval(figure_of(figure));
      const double expected = made.expected.*figure;
      CHECK(interval.low <= expected * (1 + 1e-12));
      CHECK(interval.high >= expected * (1 - 1e-12));
    }
    CHECK(made.time.interval.low < made.time.interval.high);
  });
}

TEST_CASE("equal seeds give equal intervals, other seeds others") {
  run_laws_for_each_case([](const Run& model) {
    const auto seeded = [&](std::uint64_t seed) {
      Run run = model;
      run.seed = seed;
      return estimate(run);
    };
    const RunEstimate first = seeded(7);
    const RunEstimate again = seeded(7);
    const RunEstimate other = seeded(8);
    const auto interval = [](const RunEstimate& of, double RunFigures::*figure) {
      return of.interval(figure_of(figure));
    };
    for (const auto figure :
         {&RunFigures::score_minutes, &RunFigures::step_seconds, &RunFigures::samples})
      CHECK(same(interval(first, figure), interval(again, figure)));
    for (const auto figure : {&RunFigures::score_minutes, &RunFigures::step_seconds})
      CHECK_FALSE(same(interval(first, figure), interval(other, figure)));
    CHECK(first.expected.score_minutes == other.expected.score_minutes);
  });
}
