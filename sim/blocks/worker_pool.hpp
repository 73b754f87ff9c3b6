#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "sim/blocks/block_job.hpp"
#include "sim/core/joined_thread.hpp"

namespace tofn {
inline namespace blocks {

struct FinishedBlock {
  std::uint64_t block = 0;
  std::string rows;
};

/// From `first` to before `end`.
struct BlockRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};

/// What ended a job: the exit code and the line that says why.
struct Failure {
  int exit_code = 1;
  std::string text;
};
/// Of an exception: 2 for an InputError, else 1.
Failure failure_of(const std::exception_ptr&);

/// The threads of one process. They run the blocks that it is given, in that order, and keep what
/// they made until it is taken.
class WorkerPool {
 public:
  /// Makes the workers here, one after another; what they throw is a failure.
  WorkerPool(int threads, const std::function<BlockWorker()>& make_worker);
  /// Waits for the blocks that run.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void give(BlockRange);
  /// Forgets the blocks that no thread has begun.
  void drop_waiting();
  /// What was finished since the last time; waits as long as there is work, at most `patience`.
  std::vector<FinishedBlock> take(std::chrono::milliseconds patience);
  /// Nothing runs, waits or is still to be taken.
  bool is_idle() const;
  /// Blocks to hold, those that run included, so that no thread waits for its next one.
  std::uint64_t wanted() const;
  /// The first exception of a worker.
  std::optional<Failure> failure() const;

 private:
  void work(const BlockWorker&);
  void finish(FinishedBlock, std::chrono::duration<double> time);
  void fail();

  const std::uint64_t threads_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::condition_variable ran_dry_;
  std::deque<std::uint64_t> waiting_;
  std::uint64_t running_ = 0;
  bool is_ending_ = false;
  std::vector<FinishedBlock> finished_;
  std::optional<double> block_seconds_;  ///< smoothed
  std::optional<Failure> failure_;
  std::vector<JoinedThread> workers_;  ///< last: they end before the rest goes
};

}  // namespace blocks
}  // namespace tofn
