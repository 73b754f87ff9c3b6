#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/measurements/log_text.hpp"

namespace tofn {
inline namespace measurements {

/// One collective as one rank of a job in production ran it.
struct InspectedCollective {
  std::string communicator{};
  CollectiveKind collective = CollectiveKind::AllReduce;
  int ranks = 0;
  std::optional<int> nodes{};
  Bytes size{};                       ///< as nccl-tests counts it
  Seconds time{};                     ///< of its kernel, waiting for other ranks included
  double number = 0;                  ///< in its communicator, of its kind
  std::optional<double> dumped_at{};  ///< s since 1970, when its line was written
  int line = 0;

  BytesPerSecond bus_bandwidth() const;
};

struct InspectorReading {
  std::vector<InspectedCollective> collectives{};  ///< in the order of the file
  std::vector<std::string> remarks{};
};

/// The JSON lines of NCCL Inspector, NCCL's profiler plugin: formats v4.0 to v4.3. A last line that
/// is still being written is left out. InputError at a line that is broken or contradicts itself.
InspectorReading read_inspector(const LogText&);

/// Whether a text holds such lines.
bool is_inspector_text(std::string_view text);

}  // namespace measurements
}  // namespace tofn
