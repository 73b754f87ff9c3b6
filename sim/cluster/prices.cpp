#include "sim/cluster/prices.hpp"

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace cluster {

std::optional<double> parse_price(std::string_view text) {
  constexpr std::string_view unit = " USD/h";
  double price = 0;
  if (!text.ends_with(unit) || !parse_number(text.substr(0, text.size() - unit.size()), price) ||
      !(price > 0))
    return {};
  return price;
}

}  // namespace cluster
}  // namespace tofn
