#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace cluster {

/// Library of a job's collectives. Nccl includes RCCL and HCCL, which follow it; Mpi is Open MPI;
/// Kernels are those that write directly into their peers' memory (MSCCL++, TensorRT-LLM, vLLM).
enum class CollectiveLibrary { Nccl, Mpi, Xla, Kernels };
inline constexpr std::array<std::pair<std::string_view, CollectiveLibrary>, 4> library_names{{
    {"NCCL", CollectiveLibrary::Nccl},
    {"MPI", CollectiveLibrary::Mpi},
    {"XLA", CollectiveLibrary::Xla},
    {"kernels", CollectiveLibrary::Kernels},
}};

/// NCCL's protocols between ranks: flags inside 8 or 128 bytes (low latency, part of the
/// bandwidth), or bulk copies with one flag each.
enum class Protocol { LL, LL128, Simple };

inline constexpr std::array<std::pair<std::string_view, Protocol>, 3> protocol_names{{
    {"LL", Protocol::LL},
    {"LL128", Protocol::LL128},
    {"Simple", Protocol::Simple},
}};

/// Protocols that NCCL may choose from.
struct ProtocolSet {
  std::array<bool, protocol_names.size()> has{true, true, true};

  static constexpr ProtocolSet none() { return {{false, false, false}}; }
  constexpr bool operator[](Protocol protocol) const {
    return has[static_cast<std::size_t>(protocol)];
  }
  constexpr void add(Protocol protocol) { has[static_cast<std::size_t>(protocol)] = true; }
  constexpr bool is_empty() const { return *this == none(); }
  friend constexpr bool operator==(const ProtocolSet&, const ProtocolSet&) = default;
};

/// Protocols that both sets have, because both ends must use the same.
constexpr ProtocolSet common(const ProtocolSet& a, const ProtocolSet& b) {
  ProtocolSet both = ProtocolSet::none();
  for (const auto& [name, protocol] : protocol_names)
    if (a[protocol] && b[protocol]) both.add(protocol);
  return both;
}

}  // namespace cluster
}  // namespace tofn
