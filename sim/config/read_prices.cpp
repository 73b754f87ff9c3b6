#include <fmt/format.h>

#include "sim/config/load_parts.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {

Prices read_prices(Fields& fields) {
  Prices prices;
  for (const auto& [name, term] : price_terms) {
    const auto child = fields.optional_child(name);
    if (!child) continue;
    Sourced<std::string> text;
    child->read(text);
    const auto price = parse_price(text.value);
    if (!price)
      child->fail(fmt::format("expected a price above 0 such as '6.88 USD/h', got '{}'",
                              shortened(text.value)));
    prices[static_cast<std::size_t>(term)] = {*price, text.source};
  }
  return prices;
}

Prices read_prices(const YamlNode& node) {
  Fields fields = node.fields();
  Prices prices = read_prices(fields);
  fields.done();
  return prices;
}

}  // namespace config
}  // namespace tofn
