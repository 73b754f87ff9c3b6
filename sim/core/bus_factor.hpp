#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofn {

/// Bus bandwidth = size / time x this factor, which makes operations on any number of ranks
/// comparable with the speed of a link. Size is that of nccl-tests: the larger of a rank's send and
/// receive buffers. Absent: no operation of bus_operations(). Source: nccl-tests,
/// doc/PERFORMANCE.md; the send-receive patterns as its sendrecv.
std::optional<double> bus_factor(std::string_view operation, int ranks);

/// The names that bus_factor knows: `all-reduce`, `reduce-scatter`, ...
std::span<const std::string> bus_operations();

}  // namespace tofn
