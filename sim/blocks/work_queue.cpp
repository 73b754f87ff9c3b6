#include "sim/blocks/work_queue.hpp"

#include <algorithm>

namespace tofn {
inline namespace blocks {
namespace {

/// Rows that may lie in memory, because they are being made or wait for a slow block before them.
constexpr std::uint64_t bytes_in_memory = 64 << 20;
constexpr std::uint64_t bytes_per_thread = 4 << 20;
constexpr std::uint64_t bytes_per_block = 128;  // of one without rows

}  // namespace

WorkQueue::WorkQueue(BlockRange blocks, std::size_t processes) : left_(blocks), hands_(processes) {}

void WorkQueue::ask(std::size_t process, std::uint64_t threads, std::uint64_t wanted) {
  Hand& hand = hands_[process];
  threads_ += threads - hand.threads;
  hand.threads = threads;
  hand.wanted = wanted;
}

void WorkQueue::take_back(std::size_t process, std::size_t bytes) {
  --hands_[process].held;
  --out_;
  ++returned_;
  returned_bytes_ += bytes;
}

/// Blocks that fit into memory beside those that are out, going by the mean of those returned.
std::uint64_t WorkQueue::room(std::size_t held_bytes) const {
  if (returned_ == 0) return 2 * threads_ > out_ ? 2 * threads_ - out_ : 0;
  const std::uint64_t mean = bytes_per_block + returned_bytes_ / returned_;
  const std::uint64_t bytes = bytes_in_memory + bytes_per_thread * threads_;
  const std::uint64_t used = held_bytes + out_ * mean;
  // The block that all wait for is out; with nothing out there is always room for one.
  return std::max<std::uint64_t>(used < bytes ? (bytes - used) / mean : 0, out_ == 0 ? 1 : 0);
}

BlockRange WorkQueue::deal(std::size_t process, std::size_t held_bytes) {
  Hand& hand = hands_[process];
  const std::uint64_t left = left_.end - left_.first;
  if (threads_ == 0 || left == 0) return {};
  const std::uint64_t share = hand.threads + left * hand.threads / (2 * threads_);
  const std::uint64_t most = std::min(hand.wanted, share);
  const std::uint64_t count =
      std::min({left, most > hand.held ? most - hand.held : 0, room(held_bytes)});
  const BlockRange dealt{.first = left_.first, .end = left_.first + count};
  left_.first = dealt.end;
  hand.held += count;
  out_ += count;
  return dealt;
}

}  // namespace blocks
}  // namespace tofn
