#include "sim/report/run_screen.hpp"

#include <limits>
#include <string>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a time has three digits in a unit that suits it, and a range has the unit of its time") {
  CHECK(time_words(Seconds{0.0795}) == "79.5 ms");
  CHECK(time_words(Seconds{64.49}) == "64.5 s");
  CHECK(time_words(Seconds{7199}) == "120 minutes");
  CHECK(time_words(Seconds{297.3 * 86400}) == "297 days");
  CHECK(time_range_words({600, 1200}, Seconds{900}) == "10.0 to 20.0 minutes");
  CHECK(time_range_words({7200, 18000}, Seconds{14400}) == "2.00 to 5.00 hours");
  CHECK(time_range_words({600, std::numeric_limits<double>::infinity()}, Seconds{900}) ==
        "at least 10.0 minutes");
  CHECK(time_words(Seconds{22.3 * 3600}, Seconds{2.05 * 86400}) == "0.93 days");
  CHECK(time_range_words({600, 600}, Seconds{600}).empty());
}

TEST_CASE("bars of a step begin with the largest part, and small parts share a line") {
  StepTimes step;
  part(step.parts, StepPart::Compute) = Seconds{0.895};
  part(step.parts, StepPart::Tensor) = Seconds{0.1};
  part(step.parts, StepPart::Optimizer) = Seconds{0.005};
  step.total = Seconds{1};
  const std::string text = step_bars_text(step);
  const auto at = [&](const char* words) { return text.find(words); };
  CHECK(at("compute") < at("tensor parallel"));
  CHECK(at("90 %  #########################\n") != std::string::npos);
  CHECK(at("10 %  ###\n") != std::string::npos);
  CHECK(at("optimizer 0.5 %\n") != std::string::npos);
}
