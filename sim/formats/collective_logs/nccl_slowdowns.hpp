#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace formats {

/// Something in a log that slows collectives below what their machine can reach.
struct NcclSlowdown {
  std::string words;         ///< from the log: `NCCL_IB_DISABLE=1`
  bool inside_node = false;  ///< affects ranks of one node
  bool between_nodes = false;
  std::string_view effect;  ///< `kernel sockets take the place of RDMA`
  bool is_grave = false;    ///< it leaves links idle, at all sizes
};

/// Finds slowdowns in the text: environment settings (`-x NAME=VALUE`, `export`, NCCL's own lines)
/// and lines of NCCL_DEBUG=INFO, each once, the most important first.
std::vector<NcclSlowdown> slowdowns_in(std::string_view log);

}  // namespace formats
}  // namespace tofn
