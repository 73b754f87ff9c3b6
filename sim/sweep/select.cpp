#include "sim/sweep/select.hpp"

#include <algorithm>
#include <tuple>

namespace tofn {
inline namespace sweep {
namespace {

bool comes_before(const Candidate& a, const Candidate& b) {
  return std::tie(a.goals, a.point) < std::tie(b.goals, b.point);
}

/// True if `a` is at least as good as `b` in all goals and better in one.
bool beats(const Candidate& a, const Candidate& b) {
  for (std::size_t goal = 0; goal < a.goals.size(); ++goal)
    if (a.goals[goal] > b.goals[goal]) return false;
  return a.goals != b.goals;
}

void add_to_front(std::vector<Candidate>& front, Candidate candidate) {
  for (const Candidate& kept : front)
    if (beats(kept, candidate)) return;
  std::erase_if(front, [&](const Candidate& kept) { return beats(candidate, kept); });
  front.push_back(std::move(candidate));
}

}  // namespace

void Selector::add_to_top(std::vector<Candidate>& kept, Candidate candidate) const {
  const auto place = std::upper_bound(kept.begin(), kept.end(), candidate, comes_before);
  kept.insert(place, std::move(candidate));
  if (kept.size() > top_) kept.pop_back();
}

void Selector::add(Candidate candidate) {
  std::vector<Candidate>& kept = groups_[candidate.apart];
  if (top_ > 0)
    add_to_top(kept, std::move(candidate));
  else
    add_to_front(kept, std::move(candidate));
}

std::vector<Candidate> Selector::kept() const {
  std::vector<Candidate> all;
  for (const auto& [apart, kept] : groups_) {
    const auto start = static_cast<std::ptrdiff_t>(all.size());
    all.insert(all.end(), kept.begin(), kept.end());
    std::sort(all.begin() + start, all.end(), comes_before);
  }
  return all;
}

}  // namespace sweep
}  // namespace tofn
