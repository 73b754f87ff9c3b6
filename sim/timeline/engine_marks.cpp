// Marks of an engine's ranks, which tell whether its rounds repeat.
#include <algorithm>

#include "sim/timeline/engine.hpp"

namespace tofn {
inline namespace timeline {

void Engine::mark_rank(int stage, const Pass& pass) {
  const int past = pass.micro_batch - first_mark_;
  if (pass.kind != PassKind::Forward || pass.chunk != 0 || pass.micro_batch > last_mark_ ||
      past < 0 || past % every_mark_ != 0)
    return;
  Progress& p = progress_[index(stage)];
  if (p.marks.size() > index(past / every_mark_)) return;  // marked when it first tried
  p.marks.push_back(
      {.rank = ranks_[index(stage)],
       .place = p.next,
       .gather_ahead = p.gather_pass < p.order.size() ? p.gather_pass - p.next : nothing,
       .gather_layer = p.gather_layer,
       .gather_repeat = p.gather_repeat});
}

std::optional<int> Engine::repeated_marks() const {
  const std::size_t marks = progress_.front().marks.size();
  for (std::size_t back = 1; back < marks; ++back)
    if (is_repeated(back)) return static_cast<int>(back);
  return {};
}

/// True if all ranks and all transfers under way are in the state of `marks` marks before the last
/// one, only one period later.
bool Engine::is_repeated(std::size_t marks) const {
  constexpr double rounding = 1e-12;  // a sum of some thousand terms
  const Seconds now = mark_before_last(0, 0).rank.now();
  const Seconds period = now - mark_before_last(0, marks).rank.now();
  const Seconds room = rounding * now;
  for (int stage = 0; stage < shape_.stages; ++stage) {
    const Mark& last = mark_before_last(stage, 0);
    const Mark& earlier = mark_before_last(stage, marks);
    if (!last.rank.is_later(earlier.rank, period, room)) return false;
    if (work_.gathers_each_micro_batch && work_.data_overlap &&
        (last.gather_ahead != earlier.gather_ahead || last.gather_layer != earlier.gather_layer ||
         last.gather_repeat != earlier.gather_repeat))
      return false;
  }
  return has_repeated_arrivals(marks, period, room);
}

/// Number of passes before a place in a stage's order, as [chunk][kind].
std::vector<int> Engine::done_at(int stage, std::size_t place) const {
  std::vector<int> done(index(shape_.chunks) * pass_kinds);
  for (std::size_t i = 0; i < place; ++i) {
    const Pass& pass = progress_[index(stage)].order[i];
    ++done[lane_index(0, pass.chunk, pass.kind)];
  }
  return done;
}

/// True if transfers sent before a mark and taken after it arrive one period later than those of
/// the mark before.
bool Engine::has_repeated_arrivals(std::size_t marks, Seconds period, Seconds room) const {
  const int later = static_cast<int>(marks) * every_mark_;
  const auto is_of = [](PassKind kind, std::size_t lane) {
    return lane % pass_kinds == static_cast<std::size_t>(kind);
  };
  std::vector<std::vector<int>> done;
  for (int stage = 0; stage < shape_.stages; ++stage) {
    done.push_back(done_at(stage, mark_before_last(stage, marks).place));
    const std::vector<int> last = done_at(stage, mark_before_last(stage, 0).place);
    for (std::size_t i = 0; i < last.size(); ++i)
      if (!is_of(PassKind::WeightGradients, i) && last[i] != done.back()[i] + later) return false;
  }
  for (int stage = 0; stage < shape_.stages; ++stage)
    for (std::size_t i = 0; i < done[index(stage)].size(); ++i) {
      const Lane& from = lanes_[index(stage) * done[index(stage)].size() + i];
      if (from.receiver < 0) continue;
      const auto to = std::ranges::find_if(lanes_, [&](const Lane& lane) {
        return lane.receives && lane.first_arrival == from.receiver_arrival;
      });
      const std::size_t lane_there =
          static_cast<std::size_t>(to - lanes_.begin()) % done.front().size();
      const int taken = done[index(from.receiver)][lane_there];
      const int sent = done[index(stage)][i];
      if (sent < taken) return false;
      const Seconds now = mark_before_last(from.receiver, 0).rank.now();
      for (int micro_batch = taken; micro_batch < sent; ++micro_batch) {
        const std::size_t place = from.receiver_arrival + index(micro_batch);
        const Seconds then = std::max(arrivals_[place].time + period, now);
        const Seconds last = std::max(arrivals_[place + index(later)].time, now);
        if (last - then > room || then - last > room) return false;
      }
    }
  return true;
}

void Engine::repeat(int marks, double times) {
  for (int stage = 0; stage < shape_.stages; ++stage)
    ranks_[index(stage)].repeat(times, mark_before_last(stage, index(marks)).rank,
                                mark_before_last(stage, 0).rank);
}

}  // namespace timeline
}  // namespace tofn
