#include "sim/report/tuner_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A name here and in the plugin's files.
struct PluginName {
  std::string_view name, in_plugin;
};
constexpr std::array plugin_algorithms{
    PluginName{"ring", "ring"}, PluginName{"tree", "tree"}, PluginName{"in-switch", "nvls"},
    PluginName{"in-switch tree", "nvls_tree"}, PluginName{"in-network", "collnet_direct"}};
constexpr std::array plugin_protocols{PluginName{"LL", "ll"}, PluginName{"LL128", "ll128"},
                                      PluginName{"Simple", "simple"}};
/// Collectives with the program of nccl-tests that measures them.
struct PluginCollective {
  CollectiveKind kind;
  std::string_view in_plugin, program;
};
constexpr std::array plugin_collectives{
    PluginCollective{CollectiveKind::AllReduce, "allreduce", "all_reduce_perf"},
    PluginCollective{CollectiveKind::AllGather, "allgather", "all_gather_perf"},
    PluginCollective{CollectiveKind::ReduceScatter, "reducescatter", "reduce_scatter_perf"},
    PluginCollective{CollectiveKind::Broadcast, "broadcast", "broadcast_perf"}};

template <class Names>
std::string_view plugin_name(const Names& names, std::string_view name) {
  for (const PluginName& each : names)
    if (each.name == name) return each.in_plugin;
  return "-1";
}

const PluginCollective& plugin_collective(CollectiveKind kind) {
  for (const PluginCollective& each : plugin_collectives)
    if (each.kind == kind) return each;
  return plugin_collectives.front();
}

std::string_view protocol_in(const Algorithm& algorithm) {
  return algorithm.protocol ? name_in(protocol_names, *algorithm.protocol) : "";
}

std::string algorithm_words(const Algorithm& algorithm) {
  return fmt::format("{} {}", plugin_name(plugin_algorithms, algorithm.name),
                     plugin_name(plugin_protocols, protocol_in(algorithm)));
}

/// Line of the plugin's columns.
std::string plugin_line(const TunerRow& row, const Communicator& c) {
  return fmt::format(
      "{},{:.0f},{:.0f},{},{},-1,{},{},-1,-1", plugin_collective(row.kind).in_plugin,
      row.from.base(), row.to.base(), plugin_name(plugin_algorithms, row.algorithm->name),
      plugin_name(plugin_protocols, protocol_in(*row.algorithm)), c.domains, c.ranks);
}

/// Words such as `32 % to 41 % faster than tree ll128, of which 90 % lie in 1 % to 84 %`.
std::string gain_words(const TunerRow& row) {
  std::string text = fmt::format("{:.0f} % to {:.0f} % faster than {}", 100 * row.least.expected,
                                 100 * row.most.expected, algorithm_words(*row.choice));
  if (row.least.range)
    return text + fmt::format("; 90 % interval of the least {:.0f} % to {:.0f} %",
                              100 * row.least.range->low, 100 * row.least.range->high);
  return text + "; no interval: no table has both";
}

/// Sizes of a row for nccl-tests: doublings, or five equal steps where few doublings lie in it.
std::string sizes_to_measure(const TunerRow& row) {
  constexpr double wide = 16;
  const double from = row.from.base();
  const double to = row.to.base();
  const std::string step =
      to >= wide * from ? "-f 2"
                        : fmt::format("-i {:.0f}", std::max(1.0, std::floor((to - from) / 4)));
  return fmt::format("-b {:.0f} -e {:.0f} {}", from, to, step);
}

/// Lines on how to measure the gains of the rows.
std::string how_to_measure(const TunerAnswer& answer) {
  std::string text =
      "# To check a row, run nccl-tests on these ranks without and with the plugin:\n";
  for (const auto* rows : {&answer.sure, &answer.unsure})
    for (const TunerRow& row : *rows)
      text += fmt::format("#   mpirun -np {} {} {} -g 1 -n 50\n", answer.request.communicator.ranks,
                          plugin_collective(row.kind).program, sizes_to_measure(row));
  return text +
         "# with: NCCL_TUNER_PLUGIN=libnccl-tuner-example.so NCCL_TUNER_CONFIG_FILE=THIS_FILE\n"
         "# A row is right if its sizes take less time with the plugin. -x NCCL_DEBUG=INFO and\n"
         "# NCCL_DEBUG_SUBSYS=TUNING print what NCCL chose.\n";
}

}  // namespace

std::string tuner_file(const TunerAnswer& answer) {
  const Communicator& c = answer.request.communicator;
  std::string text =
      fmt::format("# Algorithms and protocols of NCCL for {} ranks on {} of {}, by tofn.\n",
                  c.ranks, counted(c.domains, "scale-up domain"), answer.request.cluster);
  if (answer.sure.empty() && answer.unsure.empty())
    return text + "# No row: NCCL's own choice is within 10 % of what the formulas find fastest.\n";
  text += how_to_measure(answer);
  text +=
      "# collective_type,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,"
      "regBuff\n";
  if (answer.sure.empty()) text += "# No gain is sure.\n";
  for (const TunerRow& row : answer.sure)
    text += fmt::format("# {}\n{}\n", gain_words(row), plugin_line(row, c));
  if (!answer.unsure.empty())
    text += "# Rows that may be faster: measure them, then remove their first sign.\n";
  for (const TunerRow& row : answer.unsure)
    text += fmt::format("# {}\n#{}\n", gain_words(row), plugin_line(row, c));
  return text;
}

}  // namespace report
}  // namespace tofn
