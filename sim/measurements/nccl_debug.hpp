#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace measurements {

/// What NCCL chose for one call (NCCL_DEBUG_SUBSYS=TUNING).
struct NcclChoice {
  std::string collective;  ///< as NCCL names it: `AllReduce`
  Bytes size;
  std::string algorithm;  ///< `RING`
  std::string protocol;   ///< `LL128`
  int channels = 0;

  bool operator==(const NcclChoice&) const = default;
};

/// What a log with NCCL_DEBUG=INFO says of its first communicator; absent: no such line.
struct NcclFacts {
  std::string version{};   ///< `2.28.9+cuda13.0`
  std::string network{};   ///< `IB`, `Socket`, `AWS Libfabric`
  std::string provider{};  ///< of libfabric, beneath aws-ofi-nccl: `efa`, `cxi`, `tcp`
  std::optional<int> ranks{};
  std::optional<int> nodes{};
  std::optional<int> channels{};
  std::optional<int> nvls_channels{};
  std::vector<NcclChoice> choices{};  ///< each once, in the order of the log
  bool writes_to_devices = false;     ///< a channel goes `via NET/IB/0/GDRDMA`

  /// A network between nodes is named, and it is none of kernel sockets.
  bool has_rdma() const;
};

/// Reads the lines that NCCL 2.28 prints (src/init.cc, src/enqueue.cc, src/plugin/net.cc); other
/// lines are skipped. InputError: the text holds none of them, or one is cut off.
NcclFacts read_nccl_debug(std::string_view text, const std::string& file);

}  // namespace measurements
}  // namespace tofn
