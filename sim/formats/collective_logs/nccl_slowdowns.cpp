#include "sim/formats/collective_logs/nccl_slowdowns.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {
namespace {

enum class Where { Inside, Between, Everywhere };
enum class Harm { Grave, Choice };  ///< links lie idle, or NCCL's choice is limited

bool is_any(std::string_view) { return true; }
bool is_on(std::string_view value) { return value == "1"; }
bool is_off(std::string_view value) { return value == "0"; }
bool is_socket(std::string_view value) { return value == "Socket" || value == "socket"; }
bool is_tcp(std::string_view value) { return value.starts_with("tcp") || value == "sockets"; }
bool is_local(std::string_view value) { return value == "0" || value == "LOC"; }
/// True for `mlx5_0`, but neither for `mlx5_0,mlx5_1` nor for `mlx5`, a prefix of many.
bool is_one_adapter(std::string_view value) {
  return value.find(',') == value.npos && value.find('^') == value.npos && !value.empty() &&
         value.find('_') != value.npos;
}

struct Setting {
  std::string_view name;
  bool (*hinders)(std::string_view value);
  Where where;
  Harm harm;
  std::string_view effect;
};

constexpr std::string_view sockets_of_libfabric =
    "libfabric goes through kernel sockets, not the fabric's own provider";

/// Settings from NCCL's documentation of its environment, and libfabric's FI_PROVIDER.
constexpr std::array settings{
    Setting{"NCCL_IB_DISABLE", is_on, Where::Between, Harm::Grave,
            "kernel sockets take the place of RDMA"},
    Setting{"NCCL_NET", is_socket, Where::Between, Harm::Grave,
            "kernel sockets take the place of RDMA"},
    Setting{"FI_PROVIDER", is_tcp, Where::Between, Harm::Grave, sockets_of_libfabric},
    Setting{"NCCL_NET_GDR_LEVEL", is_local, Where::Between, Harm::Grave,
            "data between nodes passes through host memory (no GPUDirect RDMA)"},
    Setting{"NCCL_IB_HCA", is_one_adapter, Where::Between, Harm::Choice,
            "one adapter of each node is used"},
    Setting{"NCCL_P2P_DISABLE", is_on, Where::Everywhere, Harm::Grave,
            "accelerators do not write into each other's memory: scale-up links lie idle"},
    Setting{"NCCL_P2P_LEVEL", is_local, Where::Everywhere, Harm::Grave,
            "accelerators do not write into each other's memory: scale-up links lie idle"},
    Setting{"NCCL_SHM_DISABLE", is_on, Where::Inside, Harm::Grave,
            "ranks of a node meet over the network"},
    Setting{"NCCL_NVLS_ENABLE", is_off, Where::Everywhere, Harm::Choice,
            "the scale-up switches do not reduce (NVLS)"},
    Setting{"NCCL_ALGO", is_any, Where::Everywhere, Harm::Choice,
            "NCCL may not choose the algorithm"},
    Setting{"NCCL_PROTO", is_any, Where::Everywhere, Harm::Choice,
            "NCCL may not choose the protocol"},
    Setting{"NCCL_MAX_NCHANNELS", is_any, Where::Everywhere, Harm::Choice,
            "NCCL may not take all its channels"},
    Setting{"NCCL_MAX_CTAS", is_any, Where::Everywhere, Harm::Choice,
            "NCCL may not take all its channels"},
    Setting{"NCCL_BUFFSIZE", is_any, Where::Everywhere, Harm::Choice,
            "buffers are not of their default size"},
};

struct Line {
  std::string_view words;
  Where where;
  std::string_view effect;
};

/// Lines of NCCL with NCCL_DEBUG=INFO (src/plugin/net.cc, src/transport) and of aws-ofi-nccl.
constexpr std::array lines{
    Line{"Using network Socket", Where::Between, "NCCL found no RDMA and took kernel sockets"},
    Line{"NET/IB : No device found", Where::Between, "NCCL found no InfiniBand or RoCE device"},
    Line{"via NET/Socket", Where::Between, "channels between nodes go through kernel sockets"},
    Line{"elected Provider is tcp", Where::Between, sockets_of_libfabric},
    Line{"elected provider is tcp", Where::Between, sockets_of_libfabric},
    Line{"elected Provider is sockets", Where::Between, sockets_of_libfabric},
    Line{"elected provider is sockets", Where::Between, sockets_of_libfabric},
    Line{"GPU Direct RDMA Disabled", Where::Between,
         "data between nodes passes through host memory"},
};

/// Returns the value after `NAME=` or `NAME set by environment to `; absent if the name is not set.
std::optional<std::string_view> value_of(std::string_view log, std::string_view name) {
  for (std::size_t at = log.find(name); at != log.npos; at = log.find(name, at + 1)) {
    if (at > 0 && is_of_a_word(log[at - 1])) continue;
    std::string_view rest = log.substr(at + name.size());
    constexpr std::string_view by_environment = " set by environment to ";
    if (rest.starts_with('='))
      rest.remove_prefix(1);
    else if (rest.starts_with(by_environment))
      rest.remove_prefix(by_environment.size());
    else
      continue;
    if (!rest.empty() && (rest.front() == '"' || rest.front() == '\'')) rest.remove_prefix(1);
    return rest.substr(0, rest.find_first_of(" \t\r\n\"'`;\\."));
  }
  return std::nullopt;
}

NcclSlowdown slowdown(std::string words, Where where, Harm harm, std::string_view effect) {
  return {std::move(words), where != Where::Between, where != Where::Inside, effect,
          harm == Harm::Grave};
}

}  // namespace

std::vector<NcclSlowdown> slowdowns_in(std::string_view log) {
  std::vector<NcclSlowdown> found;
  for (const Setting& setting : settings)
    if (const auto value = value_of(log, setting.name); value && setting.hinders(*value))
      found.push_back(slowdown(std::string(setting.name) + '=' + std::string(*value), setting.where,
                               setting.harm, setting.effect));
  for (const Line& line : lines)
    if (log.find(line.words) != log.npos)
      found.push_back(slowdown(std::string(line.words), line.where, Harm::Grave, line.effect));
  return found;
}

}  // namespace formats
}  // namespace tofn
