#pragma once

#include "sim/expense/expense.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {

/// Declares what a command that answers in energy and money is asked.
void add_expense_options(options::options_description&);
/// `--facility-factor` alone, for commands without a run.
void add_facility_option(options::options_description&);

/// InputErrors name the option.
ExpenseOptions read_expense_options(const options::variables_map&);
std::optional<double> facility_factor_of(const options::variables_map&);

}  // namespace tofn
