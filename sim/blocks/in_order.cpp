#include "sim/blocks/in_order.hpp"

#include <cassert>
#include <utility>

namespace tofn {
inline namespace blocks {

void InOrder::accept(FinishedBlock finished,
                     const std::function<void(std::string_view rows)>& pass_on) {
  assert(finished.block >= next_);
  held_bytes_ += finished.rows.size();
  const bool is_new = held_.emplace(finished.block, std::move(finished.rows)).second;
  assert(is_new);
  static_cast<void>(is_new);
  while (!held_.empty() && held_.begin()->first == next_) {
    pass_on(held_.begin()->second);
    held_bytes_ -= held_.begin()->second.size();
    held_.erase(held_.begin());
    ++next_;
  }
}

}  // namespace blocks
}  // namespace tofn
