#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace cluster {

/// Reason to skip a row of a user's table while the other rows are answered: `no accelerators` if
/// the column that counts them says 0, `unknown accelerator 'X'`, `unknown precision 'X'`. Empty if
/// there is none.
std::string why_unanswered(
    const CsvRow&, std::string_view accelerator_count,
    const std::function<bool(const std::string&)>& is_known_accelerator = {});

/// Text `unknown accelerator 'X'`.
std::string unknown_accelerator(std::string_view name);

}  // namespace cluster
}  // namespace tofn
