#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/launchers/launch_stack.hpp"

namespace tofn {
inline namespace formats {
namespace {

enum class Counted { Nodes, OfNode, OfAllNodes };

/// Option of a process launcher that counts nodes or processes. If it names nodes, nothing is
/// counted.
struct LauncherCount {
  std::string_view key;
  Counted counted;
};
constexpr auto launcher_counts =
    std::to_array<LauncherCount>({{"sbatch.nodes", Counted::Nodes},
                                  {"srun.nodes", Counted::Nodes},
                                  {"srun.N", Counted::Nodes},
                                  {"torchrun.nnodes", Counted::Nodes},
                                  {"deepspeed.hostfile", Counted::Nodes},
                                  {"deepspeed.num_nodes", Counted::Nodes},
                                  {"sbatch.gpus-per-node", Counted::OfNode},
                                  {"sbatch.ntasks-per-node", Counted::OfNode},
                                  {"torchrun.nproc_per_node", Counted::OfNode},
                                  {"deepspeed.num_gpus", Counted::OfNode},
                                  {"sbatch.ntasks", Counted::OfAllNodes},
                                  {"srun.ntasks", Counted::OfAllNodes},
                                  {"srun.n", Counted::OfAllNodes},
                                  {"mpirun.np", Counted::OfAllNodes},
                                  {"mpirun.n", Counted::OfAllNodes},
                                  {"mpiexec.np", Counted::OfAllNodes},
                                  {"mpiexec.n", Counted::OfAllNodes}});

constexpr long long most_processes = 1'000'000;

struct LauncherCounts {
  std::optional<long long> nodes;
  std::optional<long long> each;  ///< processes per node
  std::optional<long long> all;   ///< processes on all nodes
  bool has_unknown_nodes = false;

  /// Number of nodes, 1 if nothing indicates several; absent if it is not known.
  std::optional<long long> known_nodes() const {
    const bool are_several = has_unknown_nodes || (!nodes && each && all && *all > *each);
    return are_several ? std::nullopt : std::optional(nodes.value_or(1));
  }
};

void add_launcher_count(const LaunchSetting& setting, Counted counted, LauncherCounts& counts) {
  long long count = 0;
  const bool is_known = parse_integer(setting.value, count);
  if (counted == Counted::Nodes) counts.has_unknown_nodes = !is_known;
  if (!is_known) return;
  if (count < 1 || count > most_processes)
    throw InputError(setting.place, setting.key,
                     fmt::format("must be from 1 to {}, got {}", most_processes, count));
  if (counted == Counted::Nodes) counts.nodes = count;
  if (counted == Counted::OfAllNodes) counts.all = count;
  // A single task per node starts all processes of its node, so it does not count them.
  if (counted == Counted::OfNode && (count > 1 || setting.key != "sbatch.ntasks-per-node"))
    counts.each = count;
}

LauncherCounts launcher_counts_of(const LaunchFile& file) {
  LauncherCounts counts;
  for (const auto& [key, counted] : launcher_counts) {
    for (const LaunchSetting& setting : file.settings)
      if (setting.key == key) add_launcher_count(setting, counted, counts);
    for (const LaunchUnknown& unknown : file.not_understood)
      if (unknown.key == key && counted == Counted::Nodes) counts.has_unknown_nodes = true;
  }
  return counts;
}

/// Number of processes on all machines, as accelerate counts them; absent if it is not stated.
std::optional<int> process_count(const LaunchFile& file) {
  std::optional<int> last;
  for (const LaunchSetting& setting : file.settings) {
    long long processes = 0;
    const bool counts = setting.key == "num_processes" || setting.key == "accelerate.num_processes";
    if (counts && parse_integer(setting.value, processes) && processes > 0 &&
        processes <= most_processes)
      last = static_cast<int>(processes);
  }
  return last;
}

}  // namespace

LaunchSize launcher_size(const LaunchFile& file, int accelerators_per_node) {
  const LauncherCounts counts = launcher_counts_of(file);
  LaunchSize size{.accelerators = process_count(file),
                  .accelerators_per_node = accelerators_per_node};
  if (counts.each) size.accelerators_per_node = static_cast<int>(*counts.each);
  const auto nodes = counts.known_nodes();
  // If each of the stated nodes starts several processes, each process has one accelerator.
  if (!counts.each && counts.all && counts.nodes && nodes && *counts.all > *nodes &&
      *counts.all % *nodes == 0) {
    size.accelerators_per_node = static_cast<int>(*counts.all / *nodes);
    if (!size.accelerators) size.accelerators = static_cast<int>(*counts.all);
  }
  if (!size.accelerators && counts.each && nodes)
    size.accelerators = static_cast<int>(std::min(*nodes * *counts.each, most_processes));
  return size;
}

bool is_launchers(std::string_view key) {
  return key == "program" || key == "argument" ||
         std::ranges::any_of(launcher_counts, [&](const LauncherCount& each) {
           return key.substr(0, key.find('.')) == each.key.substr(0, each.key.find('.'));
         });
}

}  // namespace formats
}  // namespace tofn
