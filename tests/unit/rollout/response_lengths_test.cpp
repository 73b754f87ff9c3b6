#include <algorithm>
#include <numeric>

#include "sim/rollout/rollout.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("quantiles have the mean, ascend and keep the cap") {
  const auto lengths =
      ResponseLengths{.mean = 1000, .cap = 4000, .spread = 0.6}.quantiles(2000, 2000);
  CHECK(mean_of(lengths) == Approx(1000).epsilon(0.005));
  CHECK(std::is_sorted(lengths.begin(), lengths.end()));
  CHECK(lengths.back() == 4000);
  // The median of a log-normal that is hardly cut is mean x exp(-s^2/2).
  CHECK(lengths[1000] == Approx(1000 * 0.8353).epsilon(0.02));
}

TEST_CASE("an engine's longest response is the longest of all") {
  const ResponseLengths lengths{.mean = 1000, .cap = 1e6, .spread = 0.5};
  const auto alone = lengths.quantiles(16, 16);
  const auto among = lengths.quantiles(16, 2048);
  CHECK(among.back() > 1.5 * alone.back());
  CHECK(among.front() == alone.front());
}

TEST_CASE("the longest of few responses is at least their mean") {
  for (const double spread : {0.6, 3.0})
    for (const int count : {1, 2, 16}) {
      const ResponseLengths lengths{.mean = 1060, .cap = 1e5, .spread = spread};
      CHECK(lengths.quantiles(count, count).back() >= 1060);
    }
  CHECK(ResponseLengths{.mean = 1060, .cap = 3976}.quantiles(1, 1) == std::vector<double>{1060});
}

TEST_CASE("without spread, or at the cap, all are alike") {
  CHECK(ResponseLengths{.mean = 100, .cap = 200, .spread = 0}.quantiles(3, 3) ==
        std::vector<double>{100, 100, 100});
  CHECK(ResponseLengths{.mean = 200, .cap = 200}.quantiles(2, 2) == std::vector<double>{200, 200});
}
