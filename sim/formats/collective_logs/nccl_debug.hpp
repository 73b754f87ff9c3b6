#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace formats {

/// NCCL's choice for one call (NCCL_DEBUG_SUBSYS=TUNING).
struct NcclChoice {
  std::string collective;  ///< in NCCL's words: `AllReduce`
  Bytes size;
  std::string algorithm;  ///< `RING`
  std::string protocol;   ///< `LL128`
  int channels = 0;

  bool operator==(const NcclChoice&) const = default;
};

/// Facts of the first communicator in a log with NCCL_DEBUG=INFO; absent or empty without such a
/// line.
struct NcclFacts {
  std::string version{};   ///< `2.28.9+cuda13.0`
  std::string network{};   ///< `IB`, `Socket`, `AWS Libfabric`
  std::string provider{};  ///< of libfabric, below aws-ofi-nccl: `efa`, `cxi`, `tcp`
  std::optional<int> ranks{};
  std::optional<int> nodes{};
  std::optional<int> channels{};
  std::optional<int> nvls_channels{};
  std::vector<NcclChoice> choices{};  ///< without repeats, in log order
  bool writes_to_devices = false;     ///< a channel goes `via NET/IB/0/GDRDMA`

  /// True if a network between nodes is named that does not use kernel sockets.
  bool has_rdma() const;
};

/// Reads the lines that NCCL 2.28 prints (src/init.cc, src/enqueue.cc, src/plugin/net.cc) and skips
/// others. InputError if the text has none of them, or if one is cut off.
NcclFacts read_nccl_debug(std::string_view text, const std::string& file);

}  // namespace formats
}  // namespace tofn
