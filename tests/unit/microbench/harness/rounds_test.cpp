#include "microbench/harness/rounds.hpp"

#include <algorithm>

#include "microbench/harness/summary.hpp"
#include "microbench/harness/thread_team.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

/// A case that states the duration of its calls without taking it, for each visit; the warm-up is
/// visit 0.
class Reported : public Timed {
 public:
  Reported(std::string name, std::string& log, std::function<double(int visit)> seconds_of)
      : name_(std::move(name)), log_(log), seconds_of_(std::move(seconds_of)) {}

  Elapsed run(int calls) override {
    if (!log_.ends_with(name_)) log_ += name_;
    // The warm-up of a call of about a millisecond takes three runs: 1, 2 and 4 calls. A visit of
    // 10 ms then has one run that is not recorded, and 10 samples of 1 call.
    const int visit = runs_ < 3 ? 0 : 1 + (runs_ - 3) / 11;
    ++runs_;
    return {.host = calls * seconds_of_(visit), .device = {}};
  }
  int runs() const { return runs_; }

 private:
  std::string name_;
  std::string& log_;
  std::function<double(int)> seconds_of_;
  int runs_ = 0;
};

constexpr StoppingRule rounds_rule{
    .share = 0.02, .most_time = 0.2, .visit_time = 0.01, .least_visits = 5};

RecordPoint named(const std::string& name) {
  RecordPoint point;
  point.kind = "launch";
  point.parameters = {{"device", std::string("d")}, {"mode", name}};
  return point;
}

/// Runs `work` with the lab of each rank.
template <class Work>
void in_labs(int ranks, const std::vector<RecordPoint>& points_of_before, Work work) {
  run_threads(ranks, [&](Team& team) {
    Watchdog watchdog(60, [](const std::string&, double) {});
    Record record;
    record.points = points_of_before;
    Recorder recorder(team, {}, std::move(record));
    Progress progress(false, 1);
    const Placement placement =
        place(std::vector<std::string>(static_cast<std::size_t>(team.size()), "h"), {});
    Lab lab{.team = team,
            .placement = placement,
            .rule = rounds_rule,
            .watchdog = watchdog,
            .recorder = recorder,
            .progress = progress,
            .who = "host h, rank " + std::to_string(team.rank())};
    work(lab);
    return 0;
  });
}

Case case_of(const std::string& name, Timed* timed) {
  return {.point = named(name),
          .title = name,
          .timed = timed,
          .prepare = {},
          .check = {},
          .figures = [](double median) {
            return RecordFigures{{"calls_per_s", 1 / median}};
          }};
}

double quiet(int /*visit*/) { return 1e-3; }
double noisy(int visit) { return visit % 2 == 0 ? 1.0e-3 : 1.2e-3; }

std::size_t of(const Lab& lab) { return static_cast<std::size_t>(lab.team.rank()); }

}  // namespace

TEST_CASE("points are visited in turn, and a noisy one goes on when a quiet one has settled") {
  std::string log;
  std::vector<RecordPoint> points;
  std::vector<int> runs;
  in_labs(1, {}, [&](Lab& lab) {
    Reported calm("q", log, quiet);
    Reported wild("n", log, noisy);
    std::vector<Case> cases{case_of("calm", &calm), case_of("wild", &wild)};
    points = measure_in_rounds(lab, cases);
    runs = {calm.runs(), wild.runs()};
  });
  // Both take five rounds. The noisy one then continues up to its 0.2 s of samples. Each visit
  // takes 10 or 12 ms, so 18 visits take 198 ms, and 19 are enough.
  CHECK(log == "qnqnqnqnqn");
  CHECK(runs == std::vector<int>{3 + 5 * 11, 3 + 19 * 11});  // one run a visit is not recorded
  REQUIRE(points.size() == 2);
  const RecordPoint& calm = points[0];
  CHECK(calm.visits == std::vector<int>(5, 10));
  CHECK(calm.warm_up_calls == 7);
  CHECK(calm.calls_per_sample == 1);
  CHECK(calm.host_samples.size() == 50);
  CHECK(calm.device_samples.empty());
  CHECK(calm.is_complete);
  CHECK(calm.flags.empty());
  CHECK_THAT(calm.summary.median, WithinRel(1e-3, 1e-12));
  CHECK(calm.figures.size() == 1);
  CHECK_THAT(calm.figures[0].second, WithinRel(1000.0, 1e-12));

  const RecordPoint& wild = points[1];
  CHECK(wild.visits == std::vector<int>(19, 10));
  CHECK(wild.is_complete);
  REQUIRE_FALSE(wild.flags.empty());
  CHECK_THAT(wild.flags.back(), ContainsText("unsettled: within "));
  CHECK_THAT(wild.flags.back(), ContainsText(" %, not 2.0 %"));
}

TEST_CASE("a sample is the slowest rank's, and a rank without part does not count") {
  std::vector<std::vector<RecordPoint>> points(3);
  in_labs(3, {}, [&](Lab& lab) {
    std::string log;
    Reported reported("t", log, [&](int) { return lab.team.rank() == 1 ? 2e-3 : 1e-3; });
    std::vector<Case> cases{case_of("point", lab.team.rank() == 2 ? nullptr : &reported)};
    points[of(lab)] = measure_in_rounds(lab, cases);
  });
  for (const auto& of_rank : points) {
    REQUIRE(of_rank.size() == 1);
    CHECK_THAT(of_rank[0].summary.median, WithinRel(2e-3, 1e-12));
    CHECK(of_rank[0].host_samples.size() == 5 * 5);  // a visit of 10 ms has 5 samples
  }
}

TEST_CASE("points of an earlier run are taken over and not run again") {
  RecordPoint before = named("known");
  before.host_samples = {7e-3};
  before.visits = {1};
  before.started = "then";
  before.is_complete = true;
  RecordPoint unfinished = named("unfinished");
  unfinished.host_samples = {9e-3};
  unfinished.visits = {1};
  unfinished.is_complete = false;

  std::vector<int> runs(2);
  std::vector<RecordPoint> points;
  in_labs(2, {before, unfinished}, [&](Lab& lab) {
    std::string log;
    Reported known("k", log, quiet);
    Reported other("o", log, quiet);
    std::vector<Case> cases{case_of("unfinished", &other), case_of("known", &known)};
    const auto measured = measure_in_rounds(lab, cases);
    runs[of(lab)] = known.runs();
    if (lab.team.rank() == 0) points = measured;
  });
  CHECK(runs == std::vector<int>{0, 0});
  REQUIRE(points.size() == 2);
  CHECK(points[0].host_samples.size() == 50);  // it starts anew and does not continue
  CHECK(points[1].started == "then");
  CHECK(points[1].host_samples == std::vector<double>{7e-3});
}

TEST_CASE("a point is prepared before its first visit and checked after its last, once") {
  std::string log;
  in_labs(1, {}, [&](Lab& lab) {
    Reported first("a", log, quiet);
    Reported second("b", log, noisy);
    std::vector<Case> cases{case_of("first", &first), case_of("second", &second)};
    for (Case& each : cases) {
      each.prepare = [&log] { log += "+"; };
      each.check = [&log] { log += "-"; };
    }
    measure_in_rounds(lab, cases);
  });
  CHECK(log == "+a+babababa-b-");
}

TEST_CASE("a point that the deadline cuts is checked, and a later job measures it again") {
  const auto measured = [](const std::vector<RecordPoint>& before, bool is_cut) {
    std::string log;
    std::vector<RecordPoint> points;
    in_labs(1, before, [&](Lab& lab) {
      Reported reported("t", log, [&](int visit) {
        if (is_cut && visit == 2) lab.deadline = 0;
        return 1e-3;
      });
      std::vector<Case> cases{case_of("point", &reported)};
      cases[0].check = [&log] { log += "-"; };
      points = measure_in_rounds(lab, cases);
    });
    CHECK(log == "t-");
    REQUIRE(points.size() == 1);
    return points[0];
  };
  const RecordPoint cut = measured({}, true);
  CHECK(cut.is_complete);
  CHECK(cut.visits.size() == 2);
  CHECK(cut.flags.back() == "unsettled: the time was over after 2 visits");
  CHECK(measured({cut}, false).visits.size() == 5);
}

TEST_CASE("a point whose check fails is not recorded as finished") {
  bool is_known = true;
  std::string ending;
  in_labs(1, {}, [&](Lab& lab) {
    std::string log;
    Reported reported("t", log, quiet);
    std::vector<Case> cases{case_of("point", &reported)};
    cases[0].check = [&lab] {
      lab.on_each_rank("all-reduce", [] { throw std::runtime_error("wrong result"); });
    };
    try {
      measure_in_rounds(lab, cases);
    } catch (const SharedFailure& failure) {
      ending = failure.what();
    }
    is_known = lab.recorder.complete(named("point")) != nullptr;
  });
  CHECK(ending == "host h, rank 0: all-reduce: wrong result");
  CHECK_FALSE(is_known);
}

TEST_CASE("fast calls are warmed up until their time can be told") {
  // A call takes 1 us: runs of 1, 2, 4, ... calls until one takes 250 us, which 256 do: 511 in all.
  run_threads(1, [](Team& team) {
    Watchdog watchdog(60, [](const std::string&, double) {});
    std::string log;
    Reported reported("t", log, [](int) { return 1e-6; });
    VisitSamples samples;
    warm_up(team, watchdog, rounds_rule, &reported, samples);
    CHECK(samples.warm_up_calls == 511);
    CHECK(samples.calls_per_sample == 250);
    CHECK(samples.samples_per_visit == 40);
    visit(team, watchdog, &reported, samples);
    CHECK(samples.visits == std::vector<int>{40});
    CHECK(samples.host.size() == 40);
    for (const double sample : samples.host) CHECK_THAT(sample, WithinRel(1e-6, 1e-12));
    CHECK_THAT(samples.time, WithinRel(40 * 250e-6, 1e-12));
    return 0;
  });
}

TEST_CASE("calls longer than a visit are warmed up by one of them") {
  run_threads(1, [](Team& team) {
    Watchdog watchdog(60, [](const std::string&, double) {});
    std::string log;
    Reported reported("t", log, [](int) { return 3.0; });
    VisitSamples samples;
    warm_up(team, watchdog, rounds_rule, &reported, samples);
    CHECK(samples.warm_up_calls == 1);
    CHECK(samples.calls_per_sample == 1);
    CHECK(samples.samples_per_visit == 3);
    return 0;
  });
}
