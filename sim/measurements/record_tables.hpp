#pragma once

#include <string>
#include <vector>

#include "sim/core/record.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace measurements {

/// The collectives of a record of tofn-bench, medians, one table per collective, group and setting;
/// `file` is for messages. Left out: points that are not complete, those of a GPU that was held
/// back, and send-receive in pairs, half a round trip, which nccl-tests does not measure.
std::vector<CollectiveTable> tables_of(const Record& record, const std::string& file);

/// What the tables do not tell: points left out and unsettled, points of other kinds, and what
/// large products reach.
std::vector<std::string> remarks_on(const Record& record);

}  // namespace measurements
}  // namespace tofn
