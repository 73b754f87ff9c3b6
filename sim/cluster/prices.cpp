#include "sim/cluster/prices.hpp"

#include "sim/core/dollars.hpp"

namespace tofn {
inline namespace cluster {

std::optional<double> parse_price(std::string_view text) {
  constexpr std::string_view per_hour = "/h";
  if (!text.ends_with(per_hour)) return {};
  text.remove_suffix(per_hour.size());
  if (!has_currency(text)) return {};
  return parse_dollars(text);
}

}  // namespace cluster
}  // namespace tofn
