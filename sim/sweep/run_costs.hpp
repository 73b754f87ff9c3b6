#pragma once

#include <optional>
#include <string>

#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace sweep {

/// Energy, money and failures of a whole run, as a point states them.
struct RunCosts {
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
};

// Each function sets one option from its text. InputError if the option does not take the value.

void tell_price(RunCosts&, const std::string&);       ///< `2.5`, `$2.5` or `2.5 USD/h`
void tell_price_term(RunCosts&, const std::string&);  ///< `spot`
void tell_grid(RunCosts&, const std::string&);        ///< `480`

/// Reads a time such as `15 min`.
Seconds positive_time(const std::string&);
template <std::optional<Seconds> ExpenseOptions::*time>
void tell_time(RunCosts& costs, const std::string& text) {
  costs.expenses.*time = positive_time(text);
}

}  // namespace sweep
}  // namespace tofn
