#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "sim/blocks/worker_pool.hpp"

namespace tofn {
inline namespace blocks {

/// Blocks come in any order and leave in that of their numbers; those ahead of it are held.
class InOrder {
 public:
  explicit InOrder(std::uint64_t first) : next_(first) {}

  /// Passes on the block, where it is the next one, and all held ones that come right after it.
  void accept(FinishedBlock, const std::function<void(std::string_view rows)>& pass_on);
  /// All blocks before it have left.
  std::uint64_t next() const { return next_; }
  std::size_t held_bytes() const { return held_bytes_; }

 private:
  std::uint64_t next_;
  std::map<std::uint64_t, std::string> held_;
  std::size_t held_bytes_ = 0;
};

}  // namespace blocks
}  // namespace tofn
