#include "sim/calibration/fit_figures.hpp"

#include <array>
#include <cmath>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

/// Times a + b x at these places, of a = 3 and b = 0.5.
std::vector<WeighedError> line_errors(std::span<const double> figures, double spoilt_weight) {
  std::vector<WeighedError> errors;
  for (const double x : {1.0, 2.0, 8.0, 32.0, 100.0})
    errors.push_back({std::log((figures[0] + figures[1] * x) / (3 + 0.5 * x)), 1});
  errors.push_back({std::log((figures[0] + figures[1] * 4) / 50), spoilt_weight});
  return errors;
}

}  // namespace

TEST_CASE("measurements outweigh the usual figures") {
  const std::array typical{FittedFigure{1, 3}, FittedFigure{1, 3}};
  const auto found =
      fit_figures(typical, 0.01, [](auto figures) { return line_errors(figures, 0); });
  CHECK(found[0] == Approx(3).epsilon(0.001));
  CHECK(found[1] == Approx(0.5).epsilon(0.001));
}

TEST_CASE("a figure that nothing measures stays usual") {
  const std::array typical{FittedFigure{7, 0.3}};
  const auto found = fit_figures(typical, 0.1, [](auto) {
    return std::vector<WeighedError>{{0.5, 1}};
  });
  CHECK(found[0] == Approx(7));
}

TEST_CASE("one row that is far off moves figures little") {
  const std::array typical{FittedFigure{1, 3}, FittedFigure{1, 3}};
  const auto found =
      fit_figures(typical, 0.02, [](auto figures) { return line_errors(figures, 1); });
  CHECK(found[0] == Approx(3).epsilon(0.1));
  CHECK(found[1] == Approx(0.5).epsilon(0.1));
}
