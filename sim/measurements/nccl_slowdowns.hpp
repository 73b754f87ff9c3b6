#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace measurements {

/// What a log says that makes collectives slower than their machine could.
struct NcclSlowdown {
  std::string words;         ///< of the log: `NCCL_IB_DISABLE=1`
  bool inside_node = false;  ///< acts on ranks of one node
  bool between_nodes = false;
  std::string_view effect;  ///< `kernel sockets take the place of RDMA`
  bool is_grave = false;    ///< links lie idle by it, whatever the times are
};

/// Those that stand in the text, settings of the environment (`-x NAME=VALUE`, `export`, NCCL's own
/// lines) and what NCCL printed with NCCL_DEBUG=INFO, each once, the most telling first.
std::vector<NcclSlowdown> slowdowns_in(std::string_view log);

}  // namespace measurements
}  // namespace tofn
