#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace tofn {
inline namespace cluster {

/// What a job calls its collectives through. NCCL stands for RCCL and HCCL too, which follow it;
/// MPI for Open MPI; Kernels for those that write straight into their peers' memory (MSCCL++,
/// TensorRT-LLM, vLLM).
enum class CollectiveLibrary { Nccl, Mpi, Xla, Kernels };
inline constexpr std::array<std::pair<std::string_view, CollectiveLibrary>, 4> library_names{{
    {"NCCL", CollectiveLibrary::Nccl},
    {"MPI", CollectiveLibrary::Mpi},
    {"XLA", CollectiveLibrary::Xla},
    {"kernels", CollectiveLibrary::Kernels},
}};

/// How NCCL moves data from rank to rank: flags inside 8 or 128 bytes (low latency, part of the
/// bandwidth), or bulk copies with a flag each.
enum class Protocol { LL, LL128, Simple };

inline constexpr std::array<std::pair<std::string_view, Protocol>, 3> protocol_names{{
    {"LL", Protocol::LL},
    {"LL128", Protocol::LL128},
    {"Simple", Protocol::Simple},
}};

/// Those that NCCL may choose between.
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

/// What both have; LL128 and LL ask both ends for the same.
constexpr ProtocolSet common(const ProtocolSet& a, const ProtocolSet& b) {
  ProtocolSet both = ProtocolSet::none();
  for (const auto& [name, protocol] : protocol_names)
    if (a[protocol] && b[protocol]) both.add(protocol);
  return both;
}

}  // namespace cluster
}  // namespace tofn
