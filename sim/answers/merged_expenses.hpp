#pragma once

#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace answers {

/// Returns the requested failures, restarts and checkpoints, and those of the run where the request
/// states none. InputError if a mode or layout of checkpoints is stated without their storage.
ExpenseOptions merged_expenses(ExpenseOptions request, const ExpenseOptions& of_run);

}  // namespace answers
}  // namespace tofn
