// Warnings that programs and drivers write into a log of steps, and that explain why steps are
// slow.
#include <algorithm>
#include <array>

#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

struct KnownWarning {
  std::string_view words;
  std::string_view meaning;
};
constexpr std::string_view full_allocator =
    "memory is full: the allocator gives its cache back to the device and asks again, and steps "
    "wait (smaller micro-batches or more recomputation leave room)";
constexpr std::array known_warnings{
    // torchtitan: components/metrics.py.
    KnownWarning{"CUDA memory allocation retries", full_allocator},
    // DeepSpeed: runtime/zero/stage3.py.
    KnownWarning{"pytorch allocator cache flushes", full_allocator},
    // PyTorch: torch/_dynamo/convert_frame.py.
    KnownWarning{"torch._dynamo hit config.",
                 "functions were compiled anew too often, and run uncompiled from here"},
    // NVIDIA's driver, docs.nvidia.com/deploy/xid-errors.
    KnownWarning{"NVRM: Xid", "the driver saw a fault of a device or of its links"},
    KnownWarning{"ECC error", "memory of a device fails"}};

}  // namespace

std::vector<LogWarning> slow_warnings(const LogText& log) {
  std::vector<LogWarning> found;
  for (const KnownWarning& known : known_warnings) {
    LogWarning warning{.meaning = std::string(known.meaning)};
    for (const LogLine& line : log.lines) {
      const std::size_t at = line.text.find(known.words);
      if (at == std::string_view::npos) continue;
      if (warning.count++ > 0) continue;
      warning.line = line.number;
      warning.words = known.words;
    }
    if (warning.count > 0) found.push_back(std::move(warning));
  }
  return found;
}

}  // namespace measurements
}  // namespace tofn
