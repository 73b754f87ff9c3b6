#include <algorithm>
#include <map>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/stated_placement.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string microseconds(Seconds time) {
  const double us = time.base() * 1e6;
  return us < 1000 ? fmt::format("{:.4g}", us) : fmt::format("{:.0f}", us);
}

std::string microseconds(Seconds low, Seconds high) {
  return low == high ? microseconds(low)
                     : fmt::format("{} to {}", microseconds(low), microseconds(high));
}

/// Range of the expected bus bandwidth in GB/s: `331 to 664`.
std::string expected_range(const ScoredRow& row) {
  return fmt::format("{} to {}", short_figure(bus_bandwidth(row, row.high)),
                     short_figure(bus_bandwidth(row, row.low)));
}

template <class Figure>
auto of_scored(Figure figure) {
  return of_its(&JudgedRow::scored, figure);
}
std::string size_text_of(const ScoredRow& row) { return to_text(row.size); }
std::string slow_word(const JudgedRow& row) { return row.is_slow ? "slow" : ""; }

/// Table of some rows, spread evenly over the sizes, with their bus bandwidth.
std::string few_rows_text(const std::vector<JudgedRow>& rows) {
  constexpr std::size_t most = 7;
  std::vector<JudgedRow> shown;
  for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
    shown.push_back(rows[rows.size() <= most ? i : i * (rows.size() - 1) / (most - 1)]);
  const auto over_expected = [](const ScoredRow& row) { return row.measured / row.predicted; };
  const TableColumns<JudgedRow> columns{
      right("size", of_scored(size_text_of)),
      right("GB/s", of_scored(measured_bus_bandwidth), short_figure),
      right("expected", of_scored(expected_bus_bandwidth), short_figure),
      right("90 %", of_scored(expected_range)),
      right("time / expected", of_scored(over_expected), "{:.2f}"),
      left("", slow_word)};
  return table_text(columns, shown);
}

std::string all_rows_text(const std::vector<JudgedRow>& rows) {
  const auto us = [](Seconds ScoredRow::*time) {
    return of_scored([time](const ScoredRow& row) { return microseconds(row.*time); });
  };
  const auto interval = [](const ScoredRow& row) { return microseconds(row.low, row.high); };
  const auto similar = of_its(&JudgedRow::peers, [](const PeerTimes& peers) {
    return microseconds(peers.least, peers.most);
  });
  const TableColumns<JudgedRow> columns{
      right("size", of_scored(size_text_of)),
      right("us", us(&ScoredRow::measured)),
      right("expected", us(&ScoredRow::predicted)),
      right("90 %", of_scored(interval)),
      right("GB/s", of_scored(measured_bus_bandwidth), "{:.4g}"),
      right("expected", of_scored(expected_bus_bandwidth), "{:.4g}"),
      right("similar us", similar),
      left("", slow_word)};
  return table_text(columns, rows);
}

std::string bandwidth_text(const ScoredRow& row) {
  return note("bandwidth",
              fmt::format("{:.3g} GB/s of bus bandwidth measured at {}, {:.3g} expected ({})",
                          measured_bus_bandwidth(row), to_text(row.size),
                          expected_bus_bandwidth(row), expected_range(row)));
}

std::string peers_text(const TableJudgement& judgement, int nodes) {
  if (judgement.peers.empty())
    return note("similar", "no published table of a like system to compare with");
  return note("similar",
              fmt::format("{}{}",
                          judgement.peer_nodes == nodes
                              ? ""
                              : fmt::format("on {} nodes, the nearest: ", judgement.peer_nodes),
                          fmt::join(judgement.peers, ", ")));
}

/// Words on how many of a band's rows are beyond their interval; empty if all are.
std::string share_text(const std::vector<JudgedRow>& rows, const SlowBand& band) {
  const auto first = rows.begin() + static_cast<std::ptrdiff_t>(band.first);
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(band.last) + 1;
  const auto slow = std::count_if(first, end, [](const JudgedRow& row) { return row.is_slow; });
  if (slow == end - first) return {};
  return fmt::format(" ({} of its {} rows beyond their interval, and together they are)", slow,
                     end - first);
}

/// Line such as `NCCL          2.28.9+cuda13.0 over Socket, 16 ranks on 2 nodes, 2 channels`.
std::string nccl_text(const std::optional<NcclFacts>& facts) {
  if (!facts) return {};
  std::vector<std::string> words;
  words.push_back(fmt::format("{}{}{}", facts->version.empty() ? "of its log" : facts->version,
                              facts->network.empty() ? "" : " over " + facts->network,
                              facts->provider.empty() ? "" : " by " + facts->provider));
  if (facts->ranks) words.push_back(fmt::format("{} ranks", *facts->ranks));
  if (facts->nodes) words.push_back(fmt::format("{} nodes", *facts->nodes));
  if (facts->channels) words.push_back(fmt::format("{} channels", *facts->channels));
  if (facts->nvls_channels) words.push_back(fmt::format("{} of NVLS", *facts->nvls_channels));
  const bool is_socket = facts->network == "Socket";
  return note("NCCL", fmt::format("{}{}", fmt::join(words, ", "),
                                  is_socket ? ": kernel sockets, no RDMA" : ""));
}

/// Words such as `all-reduce, 16 ranks on 2 nodes; expected of dgx-h100 (--cluster)`.
std::string subject_words(const JudgedTable& judged) {
  const CollectiveTable& table = judged.table;
  return fmt::format("{}, {} ranks on {}; expected of {} ({})", collective_name(table.collective),
                     table.ranks, counted(table.nodes, "node"), judged.cluster, judged.cluster_by);
}

/// True if the text names causes.
bool has_causes(const JudgedTable& judged) {
  const TableJudgement& judgement = judged.judgement;
  return judged.table.wrong_results.empty() && judgement.impossible.empty() &&
         !judged.is_normal() &&
         (judgement.slow || !judged.slowdowns.empty() || judgement.has_slow_rows());
}

/// Causes of all tables; equal ones of several tables are printed once, with the odds of the first.
std::string all_causes_text(const std::vector<JudgedTable>& tables) {
  struct Causes {
    std::string without_odds;
    std::string text;
    std::vector<std::string> of;
  };
  static const std::regex odds(R"(\d+ %: )");
  std::vector<Causes> all;
  for (const JudgedTable& judged : tables) {
    if (!has_causes(judged)) continue;
    const std::string text = cause_notes(judged);
    const std::string without_odds = std::regex_replace(text, odds, "");
    auto same = std::ranges::find(all, without_odds, &Causes::without_odds);
    if (same == all.end()) same = all.insert(all.end(), {without_odds, text, {}});
    same->of.emplace_back(collective_name(judged.table.collective));
  }
  std::string text;
  for (Causes& each : all) {
    if (each.of.size() > 1) each.of.front() += " (with the odds below)";
    text += '\n' + listed_note("of", each.of) + each.text;
  }
  return text;
}

std::string judged_text(const JudgedTable& judged) {
  const TableJudgement& judgement = judged.judgement;
  return fmt::format("{}: {}\n\n", judged.table.file, verdict_text(judged)) +
         bandwidth_text(judgement.rows.back().scored) + note("benchmark", subject_words(judged)) +
         nccl_text(judged.nccl) + peers_text(judgement, judged.table.nodes);
}

/// Table with a line for each measured table, if there are several.
std::string tables_text(const std::vector<JudgedTable>& tables) {
  std::map<std::string, int> verdicts;
  for (const JudgedTable& judged : tables) ++verdicts[verdict_word(judged)];
  const auto of_table = [](auto figure) { return of_its(&JudgedTable::table, figure); };
  const auto of_largest = [](auto figure) {
    return
        [figure](const JudgedTable& judged) { return figure(judged.judgement.rows.back().scored); };
  };
  const auto found = [](const JudgedTable& judged) {
    const std::vector<JudgedRow>& rows = judged.judgement.rows;
    const auto& slow = judged.judgement.slow;
    return slow ? fmt::format("{:.2g} x, {} to {}", slow->factor,
                              to_text(rows[slow->first].scored.size),
                              to_text(rows[slow->last].scored.size))
                : verdict_word(judged);
  };
  const TableColumns<JudgedTable> columns{
      left("collective", of_table(of_its(&CollectiveTable::collective, collective_name))),
      right("ranks", of_table(&CollectiveTable::ranks)),
      right("nodes", of_table(&CollectiveTable::nodes)),
      left("cluster", &JudgedTable::cluster),
      right("GB/s", of_largest(measured_bus_bandwidth), short_figure),
      right("expected", of_largest(expected_bus_bandwidth), short_figure),
      left("verdict", found)};
  std::vector<std::string> counts;
  for (const auto& [verdict, count] : verdicts)
    counts.push_back(fmt::format("{} {}", count,
                                 verdict == "slow"            ? "SLOW"
                                 : verdict == "wrong results" ? "WRONG RESULTS"
                                                              : verdict));
  return fmt::format("{} tables: {}\n\n", tables.size(), fmt::join(counts, ", ")) +
         table_text(columns, tables) + "GB/s: bus bandwidth of the largest size\n";
}

}  // namespace

std::string verdict_word(const JudgedTable& judged) {
  if (!judged.table.wrong_results.empty()) return "wrong results";
  if (!judged.judgement.impossible.empty()) return "faster than the links allow";
  if (judged.judgement.slow) return "slow";
  if (judged.judgement.is_undecided()) return "too few rows";
  if (!judged.is_normal()) return "slowed by its settings";
  return judged.judgement.is_fast() ? "fast" : "normal";
}

std::string verdict_text(const JudgedTable& judged) {
  const TableJudgement& judgement = judged.judgement;
  if (!judged.table.wrong_results.empty())
    return fmt::format("WRONG RESULTS: the benchmark found {}; the times of other sizes are below",
                       judged.table.wrong_results);
  if (!judgement.impossible.empty())
    return fmt::format("{}: {}", verdict_word(judged), judgement.impossible);
  if (judgement.slow) {
    const auto& [first, last, factor] = *judgement.slow;
    return fmt::format("SLOW from {} to {}, {:.2g} x the expected time{}",
                       to_text(judgement.rows[first].scored.size),
                       to_text(judgement.rows[last].scored.size), factor,
                       share_text(judgement.rows, *judgement.slow));
  }
  if (judgement.is_undecided())
    return fmt::format("too few rows to judge: it has {}, and a verdict needs {}",
                       judgement.rows.size(), fewest_of_band);
  if (!judged.is_normal())
    return verdict_word(judged) + ", though no slower than such links have been measured";
  if (judgement.is_fast())
    return fmt::format(
        "FASTER than expected, {:.2g} x: is the number of ranks, of nodes or the "
        "cluster another?",
        judgement.rows.back().scored.predicted / judgement.rows.back().scored.measured);
  const auto slow =
      std::ranges::count_if(judgement.rows, [](const JudgedRow& row) { return row.is_slow; });
  return verdict_word(judged) +
         (slow > 0 ? fmt::format(", but for {} of {} sizes (SLOW takes {} in a row)", slow,
                                 judgement.rows.size(), fewest_of_band)
                   : "");
}

AnswerText collective_check_text(const std::vector<JudgedTable>& tables) {
  AnswerText text;
  if (tables.size() == 1) {
    const JudgedTable& judged = tables.front();
    text.screen = judged_text(judged) + '\n' + few_rows_text(judged.judgement.rows) + '\n' +
                  (has_causes(judged) ? cause_notes(judged) : "");
    text.details = all_rows_text(judged.judgement.rows);
  } else if (!tables.empty()) {
    text.screen = tables_text(tables) + all_causes_text(tables) + '\n';
    for (const JudgedTable& judged : tables)
      text.details += (text.details.empty() ? "" : "\n") + judged_text(judged) +
                      all_rows_text(judged.judgement.rows);
  }
  return text;
}

std::string fabric_training_text(const JudgedTable& judged, const Model& model,
                                 const FabricTraining& training) {
  const SimulatedStep& step = training.healthy;
  std::string text = note(
      "training",
      fmt::format("{}: a step of {} {}takes {:.3g} x as long as on healthy links, {} rather than "
                  "{}; one sample an accelerator, {}",
                  judged.table.file, model.name, does_not_fit_words(step, ""),
                  training.here / step.times.total, time_words(training.here),
                  time_words(step.times.total), plan_words(step.plan)));
  for (const std::string& each : training.by_formula) text += note("", each);
  return text;
}

}  // namespace report
}  // namespace tofn
