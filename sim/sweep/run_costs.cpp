#include "sim/sweep/run_costs.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "sim/core/dollars.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace sweep {

void tell_price(RunCosts& costs, const std::string& text) {
  const auto stated = parse_price(text);
  costs.expenses.price = stated ? stated : parse_dollars(text);
  if (!costs.expenses.price)
    throw InputError(fmt::format(
        "expected US dollars above 0 of one accelerator for an hour, e.g. 2.5, '$2.5' or '2.5 "
        "USD/h', got '{}'",
        shortened(text)));
}

void tell_price_term(RunCosts& costs, const std::string& text) {
  const auto found =
      std::ranges::find_if(price_terms, [&](const auto& term) { return term.first == text; });
  if (found == price_terms.end()) {
    std::vector<std::string> names;
    for (const auto& [name, term] : price_terms) names.emplace_back(name);
    throw InputError(unknown_name("price term", text, names));
  }
  costs.expenses.term = found->second;
}

void tell_grid(RunCosts& costs, const std::string& text) {
  costs.grid_intensity = grid_intensity_of(text);
}

Seconds positive_time(const std::string& text) {
  Seconds time;
  try {
    time = parse_quantity<Seconds>(text);
  } catch (const std::invalid_argument& error) {
    throw InputError(error.what());
  }
  if (!(time > Seconds{})) throw InputError(fmt::format("must be above 0, got '{}'", text));
  return time;
}

}  // namespace sweep
}  // namespace tofn
