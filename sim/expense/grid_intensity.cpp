#include "sim/expense/grid_intensity.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace expense {

double grid_intensity_of(const std::string& text) {
  constexpr double most = 10'000;  // five times the emissions of the dirtiest power stations
  double grams = 0;
  if (parse_number(text, grams) && grams > 0 && grams <= most) return grams;
  throw InputError(fmt::format(
      "expected g CO2e of a kWh, a number above 0 and at most {:g} such as 480, without a unit, "
      "got '{}'",
      most, shortened(text)));
}

}  // namespace expense
}  // namespace tofn
