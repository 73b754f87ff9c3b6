#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// One collective of a production job, as one rank ran it.
struct InspectedCollective {
  std::string communicator{};
  CollectiveKind collective = CollectiveKind::AllReduce;
  int ranks = 0;
  std::optional<int> nodes{};
  Bytes size{};                       ///< as nccl-tests counts it
  Seconds time{};                     ///< of its kernel, including waits for other ranks
  double number = 0;                  ///< sequence number within its communicator and kind
  std::optional<double> dumped_at{};  ///< s since 1970, when the line was written
  int line = 0;

  BytesPerSecond bus_bandwidth() const;
};

struct InspectorReading {
  std::vector<InspectedCollective> collectives{};  ///< in file order
  std::vector<std::string> remarks{};
};

/// Reads the JSON lines of NCCL Inspector, NCCL's profiler plugin, formats v4.0 to v4.3. An
/// unfinished last line is left out. InputError at a line that is broken or contradicts itself.
InspectorReading read_inspector(const LogText&);

/// True if a text contains such lines.
bool is_inspector_text(std::string_view text);

}  // namespace formats
}  // namespace tofn
