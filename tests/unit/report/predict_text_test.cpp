#include <limits>
#include <string>

#include "sim/report/predict_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a range of times is in the unit of what it is around") {
  const auto ends = [](const std::string& range) {
    const auto dash = range.find('-');
    return std::pair(std::stod(range.substr(0, dash)), std::stod(range.substr(dash + 1)));
  };
  CHECK(ends(time_range_text({600, 1200}, 900)) == std::pair(10.0, 20.0));
  CHECK(ends(time_range_text({7200, 18000}, 14400)) == std::pair(2.0, 5.0));
  CHECK(time_range_text({600, std::numeric_limits<double>::infinity()}, 900) == "10.00-no end");
  CHECK(time_text(7200).ends_with("120.0 min"));
}
