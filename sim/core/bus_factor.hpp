#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofn {

/// Factor of bus bandwidth = size / time x factor, which makes operations on any number of ranks
/// comparable with the speed of a link. The size is that of nccl-tests: the larger of a rank's send
/// and receive buffers. Absent if the operation is not in bus_operations(). Source: nccl-tests,
/// doc/PERFORMANCE.md; the send-receive patterns are like its sendrecv.
std::optional<double> bus_factor(std::string_view operation, int ranks);

/// Names of operations that bus_factor knows: `all-reduce`, `reduce-scatter`, ...
std::span<const std::string> bus_operations();

}  // namespace tofn
