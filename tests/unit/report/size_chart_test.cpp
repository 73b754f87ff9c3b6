#include "sim/report/size_chart.hpp"

#include <limits>
#include <sstream>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

std::vector<SizeMark> falling(int count, double efficiency_each) {
  std::vector<SizeMark> marks;
  double efficiency = 1;
  for (int i = 0, size = 8; i < count; ++i, size *= 2, efficiency *= efficiency_each) {
    const double time = 800.0 / (size * efficiency);
    marks.push_back({.accelerators = size,
                     .time = time,
                     .interval = {time / 1.3, time * 1.3},
                     .efficiency = efficiency});
  }
  return marks;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("a chart has a line a size, whose mark moves with its time") {
  const auto lines = lines_of(size_chart(falling(6, 0.9), "days"));
  REQUIRE(lines.size() == 9);
  CHECK(lines[0].find("days") != std::string::npos);
  std::size_t before = 1000;
  for (std::size_t i = 2; i < 8; ++i) {
    INFO(lines[i]);
    CHECK(lines[i].size() <= 80);
    const std::size_t low = lines[i].find('|'), mark = lines[i].find('o'),
                      high = lines[i].rfind('|');
    CHECK(low < mark);
    CHECK(mark < high);
    CHECK(mark < before);
    before = mark;
  }
  // The mark of perfect scaling is left of those that scale worse.
  CHECK(lines[7].find('.') < lines[7].find('|'));
  CHECK(lines[7].find("59 % ######") != std::string::npos);
}

TEST_CASE("times in equal ratios stand equally far apart, from one end to the other") {
  std::vector<SizeMark> marks = falling(5, 1);
  for (SizeMark& mark : marks) mark.interval = {mark.time, mark.time};
  const auto lines = lines_of(size_chart(marks, "days"));
  CHECK(lines.back() == "dots: perfect scaling from the smallest N");
  // The chart has 48 characters; a quarter of the 47 between the first and the last is 11.75.
  const auto at = [&](std::size_t line) { return static_cast<double>(lines.at(line).find('o')); };
  for (std::size_t line = 2; line < 6; ++line)
    CHECK(std::abs(at(line) - at(line + 1) - 11.75) <= 1);
  CHECK(at(2) - at(6) == 47);
}

TEST_CASE("times without intervals and of little use draw no band") {
  std::vector<SizeMark> marks = falling(4, 1);
  for (SizeMark& mark : marks) mark.interval = {mark.time, mark.time};
  const std::string text = size_chart(marks, "minutes");
  for (const std::string& line : lines_of(text))
    if (line.find('o') != std::string::npos && line.find("|-") != 0)
      CHECK(line.find('-') == std::string::npos);
  marks.resize(2);
  CHECK(size_chart(marks, "minutes").empty());
  CHECK(size_chart({}, "minutes").empty());
}

TEST_CASE("a sentence says the ends of the sizes in units that suit them") {
  CHECK(sizes_sentence(falling(4, 1)) ==
        "100 minutes on 8, 12.5 minutes on 64 accelerators: 8 x as fast at 100 % efficiency");
  CHECK(sizes_sentence(falling(1, 1)) == "100 minutes on 8 accelerators");
}

TEST_CASE("a sentence of runs with an overrun says which times its factor is of") {
  std::vector<SizeMark> marks = falling(4, 1);
  for (SizeMark& mark : marks) mark.simulated = mark.time / 2;
  marks.back().simulated = 10;  // the factor is not between these
  CHECK(sizes_sentence(marks) ==
        "100 minutes on 8, 12.5 minutes on 64 accelerators (50.0 minutes, 10.0 "
        "minutes simulated): 8 x as fast at 100 % efficiency");
}

TEST_CASE("a chart of runs with an overrun marks the expected time, which its interval surrounds") {
  // 600, 300 and 150 days are simulated. Runs take twice that in the median, and nine of ten take
  // 1.1 to 2.9 times as long, so the simulated time is below the interval.
  std::vector<RunPoint> points;
  for (const auto& [size, days] : {std::pair{8, 600.0}, {16, 300.0}, {32, 150.0}}) {
    RunPoint point{.accelerators = size, .estimate = RunEstimate{}, .fits = true};
    RunEstimate& run = *point.estimate;
    run.expected = {.samples = 1, .seconds = days * 86400, .days = days};
    run.overrun = {.steps = 1.5, .steps_spread = 2, .excess = 0.1};
    run.time = {.median = 2, .interval = {1.1, 2.9}};
    points.push_back(point);
  }
  const std::vector<SizeMark> marks = run_marks(points);
  REQUIRE(marks.size() == 3);
  CHECK(marks[0].time == Approx(1200 * 1440));
  CHECK(marks[0].simulated == Approx(600 * 1440));
  CHECK(marks[2].interval.high == Approx(2.9 * 150 * 1440));
  CHECK(training_words(points, marks) ==
        " trains in 1200 days on 8, 300 days on 32 accelerators (600 days, "
        "150 days simulated): 4 x as fast at 100 % efficiency");
  const auto lines = lines_of(time_chart(marks));
  REQUIRE(lines.size() == 6);
  for (std::size_t line = 2; line < 5; ++line) {
    INFO(lines[line]);
    CHECK(lines[line].find('|') < lines[line].find('o'));
    CHECK(lines[line].find('o') < lines[line].rfind('|'));
  }
  CHECK(lines.back().find("o expected, |--|: 90 % interval") == 0);
}

TEST_CASE("ticks are 1, 2 and 5 of powers of ten, and none touches another") {
  for (int count = 3; count <= 14; ++count)
    for (const double each : {0.6, 0.75, 0.9, 1.0}) {
      std::istringstream ticks(lines_of(size_chart(falling(count, each), "days")).at(1));
      double before = 0;
      int seen = 0;
      for (double tick = 0; ticks >> tick; before = tick, ++seen) {
        INFO(count << " sizes at " << each << ": " << tick);
        CHECK(tick > before);
        const double digit = tick / std::pow(10, std::floor(std::log10(tick) + 1e-9));
        CHECK((digit == Approx(1) || digit == Approx(2) || digit == Approx(5)));
      }
      CHECK(seen >= 1);
    }
}

TEST_CASE("sizes that do not fit are no base of a speedup") {
  const auto point = [](int accelerators, double days, bool fits) {
    RunPoint made{.accelerators = accelerators, .estimate = RunEstimate{}, .fits = fits};
    made.estimate->expected = {.samples = 1, .seconds = days * 86400, .days = days};
    return made;
  };
  std::vector<RunPoint> points{point(64, 400, false), point(128, 20, true), point(512, 8, true)};
  std::vector<SizeMark> marks = run_marks(points);
  REQUIRE(marks.size() == 2);
  CHECK(marks[1].efficiency == Approx(20.0 / 8 / 4));
  CHECK(training_words(points, marks) ==
        " trains in 20.0 days on 128, 8.00 days on 512 accelerators: 2.5 x as fast at 62 % "
        "efficiency");
  points.resize(1);
  CHECK(training_words(points, run_marks(points)) ==
        ": DOES NOT FIT at any of these sizes; if it did: trains in 400 days on 64 accelerators");
}

TEST_CASE("an interval without an upper end runs off the chart, and the others keep their room") {
  std::vector<SizeMark> marks = falling(4, 1);
  CHECK(size_chart(marks, "days").find('>') == std::string::npos);
  marks[2].interval.high = std::numeric_limits<double>::infinity();
  const auto lines = lines_of(size_chart(marks, "days"));
  REQUIRE(lines.size() == 7);
  const auto at = [&](std::size_t line, char mark) { return lines[line].find(mark); };
  CHECK(at(4, '>') == 9 + 47);
  CHECK(at(4, 'o') < at(4, '>'));
  CHECK(at(2, 'o') + 5 < at(2, '#'));
  CHECK(at(2, 'o') > 9 + 40);  // the axis ends at 130 days, and this is 100
  CHECK(lines.back() ==
        "|-o--|: 90 % interval, >: without end; dots: perfect scaling from the smallest N");
}
