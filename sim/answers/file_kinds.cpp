#include "sim/answers/file_kinds.hpp"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

namespace tofn {
inline namespace answers {
namespace {

constexpr std::array kind_keys{KindKey{FileKind::LinkFamily, "fabric", "tier"},
                               KindKey{FileKind::StepProfile, "step profile", "step_rows"},
                               KindKey{FileKind::Quote, "quote", "quoted"},
                               KindKey{FileKind::Launcher, "launcher", "marks"},
                               KindKey{FileKind::Run, "run", "phases"},
                               KindKey{FileKind::Accelerator, "accelerator", "peak"},
                               KindKey{FileKind::Cluster, "cluster", "node"},
                               KindKey{FileKind::Workload, "workload", "sample"},
                               KindKey{FileKind::Model, "model", "parts"},
                               KindKey{FileKind::Model, "model", "model_type"},
                               KindKey{FileKind::Plan, "plan", "context_parallel"},
                               KindKey{FileKind::Plan, "plan", "tensor_parallel"},
                               KindKey{FileKind::Stack, "stack", "gemm_efficiency"},
                               KindKey{FileKind::Calibration, "calibration", "tables"},
                               KindKey{FileKind::Sweep, "sweep", "axes"},
                               KindKey{FileKind::PriceList, "price list", "date"}};

}  // namespace

/// The order of the table decides, because a workload also has `tensor_parallel`, and a stack
/// `tables`.
const KindKey* find_kind(const YamlNode& root) {
  const auto entries = root.entries();
  for (const KindKey& candidate : kind_keys)
    if (std::ranges::any_of(entries,
                            [&](const auto& entry) { return entry.first == candidate.key; }))
      return &candidate;
  return nullptr;
}

const KindKey& kind_of_file(const YamlNode& root) {
  if (const KindKey* found = find_kind(root)) return *found;
  std::string known;
  for (const KindKey& each : kind_keys)
    known += fmt::format("{}{} '{}'", known.empty() ? "" : ", ", each.name, each.key);
  root.fail("is no kind of file that tofn knows, each of which has a key of its own: " + known);
}

}  // namespace answers
}  // namespace tofn
