#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/measurements/stated_placement.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A second cause is told that is less than so many times less likely than the first (assumed).
constexpr double told_beside = 2;
constexpr double told_of_other_tier = 4;

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
                  {"expected"},
                  {"formulas us"},
                  {"90 % interval"},
                  {"similar us"},
                  {"least-most"},
                  {"", Align::Left}});
  for (const std::size_t i : shown_rows(rows.size())) {
    const auto& [row, peers, is_slow] = rows[i];
    text.add({to_text(row.size), microseconds(row.measured),
              fmt::format("{:.4g}", measured_bus_bandwidth(row)),
              fmt::format("{:.4g}", expected_bus_bandwidth(row)), microseconds(row.predicted),
              microseconds(row.low) + "-" + microseconds(row.high),
              peers ? microseconds(peers->median) : "-",
              peers ? microseconds(peers->least) + "-" + microseconds(peers->most) : "-",
              is_slow ? "slow" : ""});
  }
  return text.render();
}

/// `  at 8.59 GB 180 GB/s measured, 390 expected`, of the largest size.
std::string bandwidth_text(const ScoredRow& row) {
  return fmt::format("  at {} {:.3g} GB/s measured, {:.3g} expected (bus bandwidth)\n",
                     to_text(row.size), measured_bus_bandwidth(row), expected_bus_bandwidth(row));
}

std::string peers_text(const TableJudgement& judgement, int nodes) {
  if (judgement.peers.empty()) return "  similar: no published system\n";
  return fmt::format("  similar{}: {}\n",
                     judgement.peer_nodes == nodes
                         ? ""
                         : fmt::format(", on {} nodes (the nearest)", judgement.peer_nodes),
                     fmt::join(judgement.peers, ", "));
}

/// `NCCL_IB_DISABLE=1: kernel sockets take the place of RDMA`
std::string hindrances_text(const std::vector<NcclHindrance>& hindrances) {
  std::vector<std::string> sentences;
  for (const NcclHindrance& each : hindrances)
    sentences.push_back(fmt::format("{}: {}", each.words, each.effect));
  return fmt::format("{}", fmt::join(sentences, "; "));
}

/// What the log says of the choice; empty: nothing.
std::string said_text(const JudgedTable& judged) {
  std::vector<std::string> said;
  for (const std::string& forced : {judged.table.algorithm, judged.table.protocol})
    if (!forced.empty())
      said.push_back(fmt::format("{} was forced where NCCL would choose", forced));
  if (!judged.hindrances.empty()) said.push_back(hindrances_text(judged.hindrances));
  return fmt::format("{}", fmt::join(said, "; "));
}

/// `47.9 GB/s at 8.59 GB is what 1 of 8 network cards carries: `, where a cause says so.
std::string nics_text(const SlownessCause& cause, const TableJudgement& judgement) {
  if (cause.nics_left == NicsLeft::All) return {};
  const double left = cause.nics_left == NicsLeft::One ? 1 : judgement.nics_per_node / 2.0;
  const ScoredRow& largest = judgement.rows.back().scored;
  return fmt::format(
      "{:.3g} GB/s at {} is what {:g} of {} network cards {}: ", measured_bus_bandwidth(largest),
      to_text(largest.size), left, judgement.nics_per_node, left > 1 ? "carry" : "carries");
}

bool are_of_both_tiers(const SlownessCause& a, const SlownessCause& b) {
  return a.tier != b.tier && a.tier != FaultyTier::Neither && b.tier != FaultyTier::Neither;
}

/// The cause that is told beside the likeliest one: one of the other tier's links, since both often
/// give one curve, else the next; nullptr where it is far less likely.
const LikelyCause* second_told(const TableJudgement& judgement) {
  const std::vector<LikelyCause>& likely = judgement.likely;
  const LikelyCause& first = likely.front();
  const auto beside = std::find_if(likely.begin() + 1, likely.end(), [&](const LikelyCause& each) {
    return each.cause != nullptr && are_of_both_tiers(*first.cause, *each.cause) &&
           told_of_other_tier * each.probability > first.probability;
  });
  if (judgement.rows.front().scored.nodes > 1 && beside != likely.end()) return &*beside;
  if (likely.size() < 2 || likely[1].cause == nullptr ||
      told_beside * likely[1].probability <= first.probability)
    return nullptr;
  return &likely[1];
}

/// What the times are those of; where another cause is nearly as likely, that too.
std::string likely_text(const TableJudgement& judgement) {
  const std::vector<LikelyCause>& likely = judgement.likely;
  if (likely.empty() || likely.front().cause == nullptr) return {};
  const SlownessCause& first = *likely.front().cause;
  std::string text = nics_text(first, judgement) + std::string(first.sentence);
  const LikelyCause* const second = second_told(judgement);
  if (second == nullptr) return text;
  text += fmt::format("; or ({:.0f} to {:.0f} %) {}{}", 100 * second->probability,
                      100 * likely.front().probability, nics_text(*second->cause, judgement),
                      second->cause->sentence);
  if (are_of_both_tiers(first, *second->cause))
    text += "; a log of one node, where no network card takes part, tells which";
  return text;
}

/// How many of a band's rows are beyond their interval, where not all are.
std::string share_text(const std::vector<JudgedRow>& rows, const SlowBand& band) {
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(band.first);
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(band.last) + 1;
  const auto slow = std::count_if(first, end, [](const JudgedRow& row) { return row.is_slow; });
  if (slow == end - first) return {};
  return fmt::format(" ({} of its {} rows beyond their interval; together they tell)", slow,
                     end - first);
}

/// `  NCCL 2.28.9+cuda13.0 over Socket, 16 ranks on 2 nodes, 2 channels`
std::string nccl_text(const std::optional<NcclFacts>& facts) {
  if (!facts) return {};
  std::vector<std::string> words;
  words.push_back(fmt::format("NCCL {}{}{}", facts->version.empty() ? "of its log" : facts->version,
                              facts->network.empty() ? "" : " over " + facts->network,
                              facts->provider.empty() ? "" : " by " + facts->provider));
  if (facts->ranks) words.push_back(fmt::format("{} ranks", *facts->ranks));
  if (facts->nodes) words.push_back(fmt::format("{} nodes", *facts->nodes));
  if (facts->channels) words.push_back(fmt::format("{} channels", *facts->channels));
  if (facts->nvls_channels) words.push_back(fmt::format("{} of NVLS", *facts->nvls_channels));
  const bool is_socket = facts->network == "Socket";
  return fmt::format("  {}{}\n", fmt::join(words, ", "),
                     is_socket ? ": kernel sockets, no RDMA" : "");
}

}  // namespace

/// The log's own word tells most.
std::string cause_text(const JudgedTable& judged) {
  const std::string likely = likely_text(judged.judgement);
  const std::string said = said_text(judged);
  if (said.empty()) return likely.empty() ? "no known cause shows so" : likely;
  return fmt::format("its log says {}{}{}", said, likely.empty() ? "" : "; by its times, ", likely);
}

std::string verdict_text(const JudgedTable& judged) {
  const TableJudgement& judgement = judged.judgement;
  if (!judgement.impossible.empty()) return "faster than the links allow: " + judgement.impossible;
  if (judgement.is_undecided())
    return fmt::format("too few rows to tell, it has {} and a verdict needs {}{}",
                       judgement.rows.size(), fewest_of_band,
                       judgement.has_slow_rows() ? "; if these hold: " + cause_text(judged) : "");
  if (!judgement.slow)
    return judged.hindrances.empty()
               ? "normal"
               : fmt::format("{}; its log says {}",
                             judged.is_normal() ? "normal"
                                                : "held back by its settings, "
                                                  "though not beyond what "
                                                  "such links have shown",
                             hindrances_text(judged.hindrances));
  const auto& [first, last, factor] = *judgement.slow;
  return fmt::format("slow from {} to {} by a factor of {:.2g}{}; {}",
                     to_text(judgement.rows[first].scored.size),
                     to_text(judgement.rows[last].scored.size), factor,
                     share_text(judgement.rows, *judgement.slow), cause_text(judged));
}

std::string collective_check_text(const std::vector<JudgedTable>& tables) {
  std::string text;
  for (const JudgedTable& judged : tables) {
    const auto& [table, cluster, by, judgement, nccl, hindrances] = judged;
    text += fmt::format("{}: {}, {} ranks on {} of {} ({})\n{}{}{}{}  verdict: {}\n", table.file,
                        collective_name(table.collective), table.ranks,
                        counted(table.nodes, "node"), cluster, by, rows_text(judgement.rows),
                        bandwidth_text(judgement.rows.back().scored), nccl_text(nccl),
                        peers_text(judgement, table.nodes), verdict_text(judged));
  }
  if (!tables.empty())
    text += "us: the lesser of out of place and in place; expected: bus GB/s by the formulas\n";
  return text;
}

std::string fabric_training_text(const JudgedTable& judged, const Model& model,
                                 const FabricTraining& training) {
  const SimulatedStep& step = training.healthy;
  const Footprint& held = step.memory[step.tightest()];
  const Accelerator& chip = step.holder(step.tightest());
  const std::string lacks =
      fits(held, chip) ? ""
                       : fmt::format("DOES NOT FIT, {:.0f} GB of {:.0f}; had it room, it ",
                                     gigabytes(held.total()), gigabytes(chip.memory.value));
  std::string text = fmt::format(
      "{}: a step of {} {}takes {:.3g} x as long as on healthy links: {} for {}, one sample an "
      "accelerator, {}\n",
      judged.table.file, model.name, lacks, training.here / step.times.total,
      to_text(training.here), to_text(step.times.total), plan_words(step.plan));
  for (const std::string& each : training.by_formula) text += "  " + each + '\n';
  return text;
}

}  // namespace report
}  // namespace tofn
