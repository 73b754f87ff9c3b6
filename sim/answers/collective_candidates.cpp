#include "sim/answers/collective_candidates.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {
namespace {

bool is_possible(const JudgedTable& judged) { return judged.judgement.impossible.empty(); }

/// A judged candidate, with the number of the log's words that point to it.
struct Weighed {
  JudgedTable judged;
  int words = 0;
};

/// Measured over expected time at the largest size, as an absolute logarithm.
double deviation(const JudgedTable& judged) {
  const ScoredRow& largest = judged.judgement.rows.back().scored;
  return std::abs(std::log(largest.measured / largest.predicted));
}

bool is_likelier(const Weighed& a, const Weighed& b) {
  const auto rank = [](const Weighed& each) {
    return std::tuple(!is_possible(each.judged), -each.words,
                      !each.judged.is_normal() || each.judged.judgement.is_fast(),
                      each.judged.table.nodes, deviation(each.judged));
  };
  return rank(a) < rank(b);
}

/// True if `of` differs between candidates.
template <class Of>
bool differ(const std::vector<JudgedTable>& candidates, Of of) {
  return std::ranges::any_of(
      candidates, [&](const JudgedTable& each) { return of(each) != of(candidates.front()); });
}

}  // namespace

std::vector<const JudgedTable*> OpenVerdict::possible() const {
  const bool has_possible = std::ranges::any_of(candidates, is_possible);
  std::vector<const JudgedTable*> found;
  for (const JudgedTable& each : candidates)
    if (!has_possible || is_possible(each)) found.push_back(&each);
  return found;
}

std::optional<bool> OpenVerdict::is_normal() const {
  const std::vector<const JudgedTable*> all = possible();
  const bool first = all.front()->is_normal();
  const bool agree = std::ranges::all_of(all, [&](const JudgedTable* each) {
    return each->is_normal() == first && !each->judgement.is_undecided();
  });
  return agree ? std::optional(first) : std::nullopt;
}

bool OpenVerdict::has_open_machine() const {
  return differ(candidates, [](const JudgedTable& each) { return each.cluster; });
}

bool OpenVerdict::has_open_ranks() const {
  return differ(candidates, [](const JudgedTable& each) { return each.table.ranks; });
}

bool OpenVerdict::has_open_nodes() const {
  return differ(candidates, [](const JudgedTable& each) { return each.table.nodes; });
}

OpenVerdict judge_candidates(const TableCandidates& table, const Knowledge& knowledge) {
  std::vector<Weighed> weighed;
  std::string problem;
  for (const LogCandidate& each : table.candidates) try {
      weighed.push_back(
          {judge_table(each.table, *each.cluster, table.machine_by, knowledge), each.words});
      weighed.back().judged.is_certain = table.candidates.size() == 1;
    } catch (const InputError& error) {  // that cluster has no formula for these ranks
      problem = error.what();
    }
  if (weighed.empty()) throw InputError(problem);
  std::ranges::stable_sort(weighed, is_likelier);
  OpenVerdict verdict{.candidates = {}, .machine_by = table.machine_by};
  for (Weighed& each : weighed) {
    const bool is_new =
        std::ranges::find(verdict.named, each.judged.cluster) == verdict.named.end();
    if (each.words > 0 && is_new) verdict.named.push_back(each.judged.cluster);
    verdict.candidates.push_back(std::move(each.judged));
  }
  return verdict;
}

}  // namespace answers
}  // namespace tofn
