#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Largest ratio of the first cause's probability to that of a second one that is printed with it
/// (assumed).
constexpr double shown_beside = 2;
constexpr double shown_of_other_tier = 4;

/// Sentences such as `NCCL_IB_DISABLE=1: kernel sockets take the place of RDMA`.
std::string slowdowns_text(const std::vector<NcclSlowdown>& slowdowns) {
  std::vector<std::string> sentences;
  for (const NcclSlowdown& each : slowdowns)
    sentences.push_back(fmt::format("{}: {}", each.words, each.effect));
  return fmt::format("{}", fmt::join(sentences, "; "));
}

/// Words of the log on forced choices and slowdowns; empty if it has none.
std::string stated_text(const JudgedTable& judged) {
  std::vector<std::string> stated;
  for (const std::string& forced : {judged.table.algorithm, judged.table.protocol})
    if (!forced.empty())
      stated.push_back(fmt::format("{} was forced where NCCL would choose", forced));
  if (!judged.slowdowns.empty()) stated.push_back(slowdowns_text(judged.slowdowns));
  return fmt::format("{}", fmt::join(stated, "; "));
}

/// Words such as `47.9 GB/s at 8.59 GB is what 1 of 8 network cards carries: `, if the cause leaves
/// fewer cards; otherwise empty.
std::string nics_text(const SlownessCause& cause, const TableJudgement& judgement) {
  if (cause.nics_left == NicsLeft::All) return {};
  const double left = cause.nics_left == NicsLeft::One ? 1 : judgement.nics_per_node / 2.0;
  const ScoredRow& largest = judgement.rows.back().scored;
  return fmt::format(
      "{:.3g} GB/s at {} is what {:g} of {} network cards {}: ", measured_bus_bandwidth(largest),
      to_text(largest.size), left, judgement.nics_per_node, left > 1 ? "carry" : "carries");
}

constexpr std::string_view which_tier =
    "a log of one node, where no network card takes part, tells which";

bool are_of_both_tiers(const SlownessCause& a, const SlownessCause& b) {
  return a.tier != b.tier && a.tier != FaultyTier::Neither && b.tier != FaultyTier::Neither;
}

/// Returns the cause to print with the likeliest one: one of the other tier's links, since both
/// often give the same curve, else the next; nullptr if it is far less likely.
const LikelyCause* second_shown(const TableJudgement& judgement) {
  const std::vector<LikelyCause>& likely = judgement.likely;
  const LikelyCause& first = likely.front();
  const auto beside = std::find_if(likely.begin() + 1, likely.end(), [&](const LikelyCause& each) {
    return each.cause != nullptr && are_of_both_tiers(*first.cause, *each.cause) &&
           shown_of_other_tier * each.probability > first.probability;
  });
  if (judgement.rows.front().scored.nodes > 1 && beside != likely.end()) return &*beside;
  if (likely.size() < 2 || likely[1].cause == nullptr ||
      shown_beside * likely[1].probability <= first.probability)
    return nullptr;
  return &likely[1];
}

/// Sentence of the likeliest cause by the times, and of another one that is nearly as likely.
std::string likely_text(const TableJudgement& judgement) {
  const std::vector<LikelyCause>& likely = judgement.likely;
  if (likely.empty() || likely.front().cause == nullptr) return {};
  const SlownessCause& first = *likely.front().cause;
  std::string text = nics_text(first, judgement) + std::string(first.sentence);
  const LikelyCause* const second = second_shown(judgement);
  if (second == nullptr) return text;
  text += fmt::format("; or ({:.0f} to {:.0f} %) {}{}", 100 * second->probability,
                      100 * likely.front().probability, nics_text(*second->cause, judgement),
                      second->cause->sentence);
  if (are_of_both_tiers(first, *second->cause)) text += fmt::format("; {}", which_tier);
  return text;
}

}  // namespace

/// The log's own words come first, because they are the strongest evidence.
std::string cause_text(const JudgedTable& judged) {
  const std::string likely = likely_text(judged.judgement);
  const std::string stated = stated_text(judged);
  if (stated.empty()) return likely.empty() ? "no known cause shows so" : likely;
  return fmt::format("its log says {}{}{}", stated, likely.empty() ? "" : "; by its times, ",
                     likely);
}

std::string cause_notes(const JudgedTable& judged) {
  constexpr std::size_t most = 3;
  constexpr double least = 0.05;
  const std::vector<LikelyCause>& likely = judged.judgement.likely;
  const std::string stated = stated_text(judged);
  std::string text = stated.empty() ? stated : note("its log says", stated);
  if (likely.empty() || likely.front().cause == nullptr)
    return text + (stated.empty() ? note("likely cause", "no known cause shows so") : "");
  for (std::size_t i = 0; i < std::min(most, likely.size()); ++i)
    if (const auto& [cause, probability] = likely[i]; cause != nullptr && probability >= least)
      text += note(i == 0 ? "likely cause" : "or",
                   fmt::format("{:.0f} %: {}{}", 100 * probability,
                               nics_text(*cause, judged.judgement), cause->sentence));
  const SlownessCause& first = *likely.front().cause;
  const LikelyCause* const second = second_shown(judged.judgement);
  if (second != nullptr && are_of_both_tiers(first, *second->cause))
    return text + note("test next", which_tier);
  return text + note("test next", first.test);
}

}  // namespace report
}  // namespace tofn
