#pragma once

#include <string>
#include <vector>

#include "sim/core/record.hpp"
#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace formats {

/// Returns the collectives of a record of tofn-bench as medians, one table per collective, group
/// and setting; `file` is for messages. Leaves out incomplete points, those of a throttled GPU, and
/// send-receive in pairs, which is half a round trip that nccl-tests does not measure.
std::vector<CollectiveTable> tables_of(const Record& record, const std::string& file);

/// Returns remarks on what the tables omit: points left out, unsettled points and points of other
/// kinds, and the rate that large products reach.
std::vector<std::string> remarks_on(const Record& record);

}  // namespace formats
}  // namespace tofn
