#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace cluster {

/// What rows of tables that people bring are skipped by, while the others are answered: `no
/// accelerators` where the column that counts them says 0, `unknown accelerator 'X'`, `unknown
/// precision 'X'`. Empty: nothing of it.
std::string why_unanswered(
    const CsvRow&, std::string_view accelerator_count,
    const std::function<bool(const std::string&)>& is_known_accelerator = {});

/// `unknown accelerator 'X'`
std::string unknown_accelerator(std::string_view name);

}  // namespace cluster
}  // namespace tofn
