#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/collective_logs/logged_table.hpp"

namespace tofn {
inline namespace formats {

/// Returns a table whose collective, ranks and nodes are known, with sizes over all ranks, times
/// that only the printed bandwidths state, and rows by ascending size. `source` is that of the log
/// and serves tables without their own. Rows without a positive size and time are left out with a
/// remark. InputError if times do not match the bandwidths beside them.
CollectiveTable completed_table(const LogText& log, std::string_view source, const LoggedTable&,
                                std::vector<std::string>& remarks);

}  // namespace formats
}  // namespace tofn
