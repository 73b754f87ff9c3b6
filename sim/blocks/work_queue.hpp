#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/blocks/worker_pool.hpp"

namespace tofn {
inline namespace blocks {

/// What one process asks for and has.
struct Hand {
  std::uint64_t threads = 0;
  std::uint64_t wanted = 0;  ///< blocks to hold
  std::uint64_t held = 0;    ///< blocks dealt and not yet returned
};

/// Deals blocks out in the order of their numbers, each process as many as keep it busy: fewer
/// towards the end, so that all end together, and no more than memory has room for.
class WorkQueue {
 public:
  WorkQueue(BlockRange blocks, std::size_t processes);

  void ask(std::size_t process, std::uint64_t threads, std::uint64_t wanted);
  /// A finished block came back.
  void take_back(std::size_t process, std::size_t bytes);
  /// What to give that process now; empty: nothing. `held_bytes` wait for a block before them.
  BlockRange deal(std::size_t process, std::size_t held_bytes);

 private:
  std::uint64_t room(std::size_t held_bytes) const;

  BlockRange left_;
  std::vector<Hand> hands_;
  std::uint64_t threads_ = 0;   ///< of all processes
  std::uint64_t out_ = 0;       ///< blocks that some process holds
  std::uint64_t returned_ = 0;  ///< blocks
  std::uint64_t returned_bytes_ = 0;
};

}  // namespace blocks
}  // namespace tofn
