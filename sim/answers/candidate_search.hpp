#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/plan_answer.hpp"
#include "sim/core/parallel.hpp"

// The parts that searches over machines share, whatever runs on them.

namespace tofn {
inline namespace answers {

/// Sizes of clusters that a search leaves out, by their reason.
class LeftOutSizes {
 public:
  /// Adds a size. `when`: words on what was tried there, such as `1 step off`; empty: everything.
  void add(std::string_view cluster, int size, std::string_view reason, std::string_view when = {});

  /// Number of sizes of all clusters.
  std::size_t count() const;
  /// Text such as `mi355x, N = 8: no price is known` of the first.
  std::string first() const;
  /// One text for each cluster and reason, with its sizes: `mi355x, N = 8, 16 and 32: no price is
  /// known`.
  std::vector<std::string> words() const;

 private:
  struct Group {
    std::string cluster;
    std::string reason;
    std::string when;
    std::vector<int> sizes;  ///< as they were tried
  };
  static std::string text_of(const Group&, const std::string& sizes);

  std::vector<Group> groups_;
};

/// Calls `try_one` with the index of each candidate below `count`, on all cores, until the search
/// is stopped.
template <class Search>
void try_each(const Search& search, std::size_t count,
              const std::function<void(std::size_t)>& try_one) {
  std::mutex one_at_a_time;
  std::size_t done = 0;
  in_parallel(count, [&](std::size_t i) {
    if (search.on_progress) {
      const std::lock_guard lock(one_at_a_time);
      search.on_progress(done++, count);
    }
    if (!search.is_stopped || !search.is_stopped()) try_one(i);
  });
}

/// True if the objective or a limit is of money.
bool needs_price(const Objective&, const std::vector<RunLimit>&);

/// True if `a` is the better candidate to search on from: if neither keeps the limits with the
/// requested confidence, the nearer one is.
template <class Search, class Candidate>
bool is_better(const Search& search, const Candidate& a, const Candidate& b) {
  const bool keeps = a.chance >= search.confidence;
  if (keeps != (b.chance >= search.confidence)) return keeps;
  return keeps ? search.by.of(a.figures()) < search.by.of(b.figures()) : is_nearer(a, b);
}

/// Sizes of whole units at a quarter, a half and three quarters of the way to the next doubling,
/// around a size.
std::vector<int> sizes_between(const Offer&, int size);

/// Number of groups around whose best sizes other sizes are tried (assumed).
inline constexpr std::size_t most_refined = 12;

/// Returns the best candidate of each group on offers that may be refined, limited to the best few,
/// because sizes between doublings do not matter for a cluster that is far behind. `group_of`: a
/// key of a map.
template <class Candidate, class GroupOf, class IsBetter>
std::vector<const Candidate*> worth_refining(const std::vector<Candidate>& all,
                                             const std::vector<Offer>& offers, GroupOf group_of,
                                             IsBetter is_better) {
  std::map<decltype(group_of(all.front())), const Candidate*> best;
  for (const Candidate& each : all) {
    if (!offers[each.offer].is_refined) continue;
    const Candidate*& so_far = best[group_of(each)];
    if (so_far == nullptr || is_better(each, *so_far)) so_far = &each;
  }
  std::vector<const Candidate*> worth;
  for (const auto& [group, candidate] : best) worth.push_back(candidate);
  std::ranges::stable_sort(
      worth, [&](const Candidate* a, const Candidate* b) { return is_better(*a, *b); });
  worth.resize(std::min(worth.size(), most_refined));
  return worth;
}

/// InputError that says why a search has no candidate; AnswerOfNo if some do not fit the memory.
[[noreturn]] void refuse_all(int not_tried, const LeftOutSizes&, bool some_do_not_fit);

}  // namespace answers
}  // namespace tofn
