#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/blocks/block_job.hpp"
#include "sim/core/joined_thread.hpp"

namespace tofn {
inline namespace blocks {

/// The end of a job before it was done: exit code and reason in one line.
struct Failure {
  int exit_code = 1;
  std::string text;
  bool is_signal() const { return exit_code > 128; }
};
/// Failure of an exception: exit code 2 for an InputError, else 1.
Failure failure_of(const std::exception_ptr&);
/// Failure of a signal: `interrupted` by Ctrl-C, `ended by SIGTERM`.
Failure failure_of_signal(int signal);

/// Blocks of one process: those from `first` to before `end` whose number modulo `ranks` is `rank`.
struct BlockShare {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t rank = 0;
  std::uint64_t ranks = 1;
};

/// The threads of one process. They run its blocks in order, and begin none while too many rows
/// wait to be taken.
class WorkerPool {
 public:
  /// Makes the workers in this thread, one after another; their exceptions are failures.
  WorkerPool(int threads, const std::function<BlockWorker()>& make_worker, BlockShare);
  /// Waits for the running blocks.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// Takes the rows of the next blocks, at most about 4 MiB. Waits for them at most `patience`, and
  /// not at all if none can come.
  std::deque<std::string> take(std::chrono::milliseconds patience);
  /// Begins no more blocks.
  void stop();
  /// True if nothing runs and nothing is left to take.
  bool has_ended() const;
  /// The failure of the first block that failed; earlier blocks can still be taken.
  std::optional<Failure> failure() const;

 private:
  void work(const BlockWorker&);
  void fail(std::uint64_t block);
  bool can_begin() const;
  bool can_take() const;

  const std::uint64_t step_;
  std::uint64_t next_;  ///< next block to begin
  std::uint64_t end_;
  mutable std::mutex mutex_;
  std::condition_variable may_begin_;
  std::condition_variable ran_dry_;
  std::deque<std::optional<std::string>> begun_;  ///< rows of each begun block, once it is finished
  std::size_t waiting_bytes_ = 0;
  int running_ = 0;
  std::optional<Failure> failure_;
  std::uint64_t failed_block_ = 0;
  std::vector<JoinedThread> threads_;  ///< last, so that they end before the other members
};

}  // namespace blocks
}  // namespace tofn
