#pragma once

#include <string>
#include <vector>

#include "sim/core/record.hpp"
#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace measurements {

/// The collectives of a record of tofn-bench, medians, one table per collective, group and setting;
/// `file` is for messages. Left out: points that are not complete, and send-receive in pairs, half
/// a round trip, which nccl-tests does not measure.
std::vector<CollectiveTable> tables_of(const Record& record, const std::string& file);

}  // namespace measurements
}  // namespace tofn
