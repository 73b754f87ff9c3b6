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

/// What ended a job: the exit code and the line that says why.
struct Failure {
  int exit_code = 1;
  std::string text;
  bool is_signal() const { return exit_code > 128; }
};
/// Of an exception: 2 for an InputError, else 1.
Failure failure_of(const std::exception_ptr&);
/// `interrupted` by Ctrl-C, `ended by SIGTERM`.
Failure failure_of_signal(int signal);

/// The blocks of one process: of those from `first` to before `end`, each whose number leaves
/// `rank` when divided by `ranks`.
struct BlockShare {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t rank = 0;
  std::uint64_t ranks = 1;
};

/// The threads of one process. They run its blocks in order, and no block is begun while too many
/// rows wait to be taken.
class WorkerPool {
 public:
  /// Makes the workers here, one after another; what they throw is a failure.
  WorkerPool(int threads, const std::function<BlockWorker()>& make_worker, BlockShare);
  /// Waits for the blocks that run.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// The rows of the next blocks, some 4 MiB at most. Waits at most `patience` for more of them,
  /// and no longer than any can come.
  std::deque<std::string> take(std::chrono::milliseconds patience);
  /// Begins no more blocks.
  void stop();
  /// Nothing runs, and nothing is left to take.
  bool has_ended() const;
  /// The failure of the first block that failed; blocks before it are still there to be taken.
  std::optional<Failure> failure() const;

 private:
  void work(const BlockWorker&);
  void fail(std::uint64_t block);
  bool can_begin() const;
  bool can_take() const;

  const std::uint64_t step_;
  std::uint64_t next_;  ///< block to begin
  std::uint64_t end_;
  mutable std::mutex mutex_;
  std::condition_variable may_begin_;
  std::condition_variable ran_dry_;
  std::deque<std::optional<std::string>> begun_;  ///< rows of each block, once it is finished
  std::size_t waiting_bytes_ = 0;
  int running_ = 0;
  std::optional<Failure> failure_;
  std::uint64_t failed_block_ = 0;
  std::vector<JoinedThread> threads_;  ///< last: they end before the rest goes
};

}  // namespace blocks
}  // namespace tofn
