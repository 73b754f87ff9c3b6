#include <fmt/format.h>

#include "sim/config/load_parts.hpp"
#include "sim/core/names.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {

Prices read_prices(const YamlNode& node) {
  Prices prices;
  FieldReader::read_map(node, [&](auto& walk) { price_rows(walk, prices); });
  return prices;
}

std::optional<Sourced<double>> read_price(const YamlNode& node) {
  Sourced<std::string> text;
  node.read(text);
  const auto price = parse_price(text.value);
  if (!price)
    node.fail(fmt::format("expected a price above 0 such as '6.88 USD/h', got '{}'",
                          shortened(text.value)));
  return Sourced<double>{*price, text.source};
}

}  // namespace config
}  // namespace tofn
