#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/measurements/stated_placement.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string microseconds(Seconds time) {
  const double us = time.base() * 1e6;
  return us < 1000 ? fmt::format("{:.4g}", us) : fmt::format("{:.0f}", us);
}

/// About a dozen rows, evenly over the sizes; all where there are fewer.
std::vector<std::size_t> shown_rows(std::size_t count) {
  constexpr std::size_t most = 12;
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < std::min(count, most); ++i)
    shown.push_back(count <= most ? i : i * (count - 1) / (most - 1));
  return shown;
}

std::string rows_text(const std::vector<JudgedRow>& rows) {
  TextTable text({{"size"},
                  {"us"},
                  {"bus GB/s"},
                  {"formulas us"},
                  {"90 % interval"},
                  {"similar us"},
                  {"least-most"},
                  {"", Align::Left}});
  for (const std::size_t i : shown_rows(rows.size())) {
    const auto& [row, peers, is_slow] = rows[i];
    text.add({to_text(row.size), microseconds(row.measured),
              fmt::format("{:.4g}", measured_bus_bandwidth(row)), microseconds(row.predicted),
              microseconds(row.low) + "-" + microseconds(row.high),
              peers ? microseconds(peers->median) : "-",
              peers ? microseconds(peers->least) + "-" + microseconds(peers->most) : "-",
              is_slow ? "slow" : ""});
  }
  return text.render();
}

std::string peers_text(const TableJudgement& judgement, int nodes) {
  if (judgement.peers.empty()) return "  similar: no published system\n";
  return fmt::format("  similar{}: {}\n",
                     judgement.peer_nodes == nodes
                         ? ""
                         : fmt::format(", on {} nodes (the nearest)", judgement.peer_nodes),
                     fmt::join(judgement.peers, ", "));
}

std::string verdict_text(const TableJudgement& judgement) {
  if (!judgement.impossible.empty()) return "faster than the links allow: " + judgement.impossible;
  if (!judgement.slow) return "normal";
  const auto& [first, last, factor] = *judgement.slow;
  return fmt::format("slow from {} to {} by a factor of {:.2g}; {}",
                     to_text(judgement.rows[first].scored.size),
                     to_text(judgement.rows[last].scored.size), factor,
                     judgement.cause.empty() ? "no known cause shows so" : judgement.cause);
}

}  // namespace

std::string collective_check_text(const std::vector<JudgedTable>& tables) {
  std::string text;
  for (const auto& [table, cluster, judgement] : tables)
    text += fmt::format("{}: {}, {} ranks on {} node{} of {}\n{}{}  verdict: {}\n", table.file,
                        collective_name(table.collective), table.ranks, table.nodes,
                        table.nodes == 1 ? "" : "s", cluster, rows_text(judgement.rows),
                        peers_text(judgement, table.nodes), verdict_text(judgement));
  return text;
}

}  // namespace report
}  // namespace tofn
