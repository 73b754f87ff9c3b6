#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/stated_placement.hpp"
#include "sim/report/collective_candidates_report.hpp"
#include "sim/report/collective_check_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Candidates with the same verdict, ranks and nodes.
struct Group {
  std::string verdict;
  int ranks = 0;
  int nodes = 0;
  std::vector<const JudgedTable*> members;
};

std::vector<Group> groups_of(const OpenVerdict& open) {
  std::vector<Group> groups;
  for (const JudgedTable& each : open.candidates) {
    const Group here{verdict_word(each), each.table.ranks, each.table.nodes, {}};
    auto group = std::ranges::find_if(groups, [&](const Group& other) {
      return other.verdict == here.verdict && other.ranks == here.ranks &&
             other.nodes == here.nodes;
    });
    if (group == groups.end()) group = groups.insert(groups.end(), here);
    group->members.push_back(&each);
  }
  return groups;
}

/// Range of a figure over the members, or the one value that they share: `0.93 to 1.05`.
template <class Figure>
std::string range_of(const Group& group, std::string_view format, Figure figure) {
  std::vector<double> figures;
  for (const JudgedTable* each : group.members)
    if (const std::optional<double> value = figure(*each)) figures.push_back(*value);
  if (figures.empty()) return "-";
  const auto [least, most] = std::ranges::minmax_element(figures);
  const std::string low = fmt::format(fmt::runtime(format), *least);
  const std::string high = fmt::format(fmt::runtime(format), *most);
  return low == high ? low : low + " to " + high;
}

/// Measured over expected bus bandwidth at the largest size.
std::optional<double> share_of_expected(const JudgedTable& judged) {
  const ScoredRow& largest = judged.judgement.rows.back().scored;
  return measured_bus_bandwidth(largest) / expected_bus_bandwidth(largest);
}

std::string verdict_cell(const Group& group) {
  const std::string factors = range_of(group, "{:.2g}", [](const JudgedTable& each) {
    const auto& slow = each.judgement.slow;
    return slow ? std::optional(slow->factor) : std::nullopt;
  });
  return group.verdict == "slow" ? fmt::format("slow by {} x", factors) : group.verdict;
}

/// Cell such as `dgx-h100 and 16 more`.
std::string machines_cell(const Group& group) {
  const std::string& first = group.members.front()->cluster;
  return group.members.size() == 1 ? first
                                   : fmt::format("{} and {} more", first, group.members.size() - 1);
}

/// Options for the values in which the candidates differ.
std::vector<std::string> open_options(const OpenVerdict& open) {
  std::vector<std::string> options;
  if (open.has_open_machine()) options.emplace_back("--cluster");
  if (open.has_open_ranks()) options.emplace_back("--ranks");
  if (open.has_open_nodes()) options.emplace_back("--nodes");
  return options;
}

std::string groups_text(const OpenVerdict& open) {
  constexpr std::size_t most = 8;
  const std::vector<Group> groups = groups_of(open);
  const auto share = [](const Group& group) {
    return range_of(group, "{:.2f}", share_of_expected);
  };
  const TableColumns<Group> columns{left("verdict", verdict_cell), right("/ expected", share),
                                    right("ranks", &Group::ranks), right("nodes", &Group::nodes),
                                    left("cluster", machines_cell)};
  return table_text(columns, std::span(groups).first(std::min(groups.size(), most))) +
         (groups.size() > most ? fmt::format("and {} more: --details\n", groups.size() - most)
                               : "");
}

/// Table with a line for each candidate.
std::string candidates_text(const OpenVerdict& open) {
  using Row = JudgedTable;
  const auto of_largest = [](auto figure) {
    return [figure](const Row& row) { return figure(row.judgement.rows.back().scored); };
  };
  const TableColumns<Row> columns{
      left("cluster", &Row::cluster),
      right("ranks", of_its(&Row::table, &CollectiveTable::ranks)),
      right("nodes", of_its(&Row::table, &CollectiveTable::nodes)),
      right("GB/s", of_largest(measured_bus_bandwidth), short_figure),
      right("expected", of_largest(expected_bus_bandwidth), short_figure),
      left("verdict", verdict_word)};
  return table_text(columns, open.candidates);
}

/// Words such as `the machine and the nodes`.
std::string open_words(const OpenVerdict& open) {
  std::vector<std::string> words;
  if (open.has_open_machine()) words.emplace_back("the machine");
  if (open.has_open_ranks()) words.emplace_back("the ranks");
  if (open.has_open_nodes()) words.emplace_back("the nodes");
  return list_text(words, "and");
}

/// Words such as `normal on each of 17 candidates` or `normal on 12 of 17 candidates, slow on 5`.
std::string verdict_words(const OpenVerdict& open) {
  const std::vector<const JudgedTable*> possible = open.possible();
  std::vector<std::pair<std::string, int>> counts;
  for (const JudgedTable* each : possible) {
    const std::string word = verdict_word(*each);
    auto count =
        std::ranges::find_if(counts, [&](const auto& other) { return other.first == word; });
    if (count == counts.end()) count = counts.insert(counts.end(), {word, 0});
    ++count->second;
  }
  if (counts.size() == 1)
    return possible.size() == 1
               ? fmt::format("{}, since it can only be {}", counts[0].first, possible[0]->cluster)
               : fmt::format("{} on each of {} candidates", counts[0].first, possible.size());
  std::vector<std::string> words;
  for (const auto& [word, count] : counts)
    words.push_back(words.empty()
                        ? fmt::format("{} on {} of {} candidates", word, count, possible.size())
                        : fmt::format("{} on {}", word, count));
  return fmt::format("{}", fmt::join(words, ", "));
}

/// Options for the likeliest candidate: `--cluster dgx-h100 --nodes 2`.
std::string settling_example(const OpenVerdict& open) {
  const JudgedTable& first = open.candidates.front();
  std::vector<std::string> words;
  if (open.has_open_machine()) words.push_back("--cluster " + first.cluster);
  if (open.has_open_ranks()) words.push_back(fmt::format("--ranks {}", first.table.ranks));
  if (open.has_open_nodes()) words.push_back(fmt::format("--nodes {}", first.table.nodes));
  return fmt::format("{}", fmt::join(words, " "));
}

/// True if all possible candidates have the same verdict.
bool groups_agree(const OpenVerdict& open) {
  const std::vector<const JudgedTable*> possible = open.possible();
  return std::ranges::all_of(possible, [&](const JudgedTable* each) {
    return verdict_word(*each) == verdict_word(*possible.front());
  });
}

std::string open_text(const OpenVerdict& open) {
  const JudgedTable& first = open.candidates.front();
  const ScoredRow& largest = first.judgement.rows.back().scored;
  std::string text = fmt::format("{}: {}{}\n\n", first.table.file,
                                 groups_agree(open) ? "" : "depends on " + open_words(open) + ": ",
                                 verdict_words(open));
  text += note("benchmark", fmt::format("{}, {:.3g} GB/s of bus bandwidth at {}",
                                        collective_name(first.table.collective),
                                        measured_bus_bandwidth(largest), to_text(largest.size)));
  text +=
      note("machine", open.machine_by.empty() ? "nothing in the log names its accelerator"
                                              : "one with the accelerator of " + open.machine_by);
  if (!open.named.empty()) text += listed_note("named in it", open.named);
  text += note("settled by", "such as " + settling_example(open));
  return text + '\n' + groups_text(open) + '\n';
}

/// Table with a line for each verdict, if there are several.
std::string lines_text(const std::vector<OpenVerdict>& verdicts) {
  const auto first = [](const OpenVerdict& each) { return &each.candidates.front().table; };
  const TableColumns<OpenVerdict> columns{
      left("file", of_its(first, &CollectiveTable::file)),
      left("collective", of_its(first, &CollectiveTable::collective, collective_name)),
      left("verdict", verdict_words)};
  return fmt::format(
             "{} tables whose machine or placement is open, judged as each candidate that the log "
             "allows\n\n",
             verdicts.size()) +
         table_text(columns, verdicts) + '\n';
}

}  // namespace

std::string settling_options(const OpenVerdict& open) {
  return "give " + list_text(open_options(open), "and");
}

AnswerText collective_candidates_text(const std::vector<OpenVerdict>& verdicts) {
  if (verdicts.empty()) return {};
  if (verdicts.size() == 1)
    return {.screen = open_text(verdicts.front()), .details = candidates_text(verdicts.front())};
  AnswerText text{.screen = lines_text(verdicts)};
  for (const OpenVerdict& each : verdicts) {
    if (!text.details.empty()) text.details += '\n';
    text.details += open_text(each) + candidates_text(each);
  }
  return text;
}

}  // namespace report
}  // namespace tofn
