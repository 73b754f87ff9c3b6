#include "sim/blocks/worker_pool.hpp"

#include <algorithm>
#include <cmath>
#include <new>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/memory_failures.hpp"

namespace tofn {
inline namespace blocks {
namespace {

/// Work that a thread has lying ready: longer than a flush of the disk or a message takes, so that
/// it does not wait for them, and short enough that all threads end at about the same time.
constexpr double seconds_ahead = 0.25;
constexpr double most_ahead = 1024;  // blocks
constexpr double smoothing = 1.0 / 8;

}  // namespace

Failure failure_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    return {.exit_code = 2, .text = error.what()};
  } catch (const std::bad_alloc&) {
    return {.exit_code = 1, .text = "out of memory"};
  } catch (const std::exception& error) {
    return {.exit_code = 1, .text = error.what()};
  } catch (...) {
    return {.exit_code = 1, .text = "an exception of unknown type"};
  }
}

WorkerPool::WorkerPool(int threads, const std::function<BlockWorker()>& make_worker)
    : threads_(static_cast<std::uint64_t>(threads)) {
  try {
    std::vector<BlockWorker> workers;
    for (int i = 0; i < threads; ++i) workers.push_back(make_worker());
    for (BlockWorker& worker : workers)
      workers_.emplace_back([this, worker = std::move(worker)] { work(worker); });
  } catch (...) {  // the system gives no thread, too: those that there are must be told to end
    fail();
  }
}

WorkerPool::~WorkerPool() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
  is_ending_ = true;
  has_work_.notify_all();
}

void WorkerPool::work(const BlockWorker& worker) {
  while (true) {
    std::unique_lock lock(mutex_);
    has_work_.wait(lock, [this] { return is_ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const std::uint64_t block = waiting_.front();
    waiting_.pop_front();
    ++running_;
    lock.unlock();
    try {
      const auto start = std::chrono::steady_clock::now();
      std::string rows = worker(block);
      require_memory();
      finish({.block = block, .rows = std::move(rows)}, std::chrono::steady_clock::now() - start);
    } catch (...) {
      fail();
      lock.lock();
      --running_;
    }
  }
}

void WorkerPool::finish(FinishedBlock block, std::chrono::duration<double> time) {
  const std::lock_guard lock(mutex_);
  const double seconds = time.count();
  block_seconds_ =
      block_seconds_.value_or(seconds) + smoothing * (seconds - block_seconds_.value_or(seconds));
  finished_.push_back(std::move(block));
  if (--running_ == 0 && waiting_.empty()) ran_dry_.notify_all();
}

void WorkerPool::fail() {
  const std::lock_guard lock(mutex_);
  if (!failure_) failure_ = failure_of(std::current_exception());
  waiting_.clear();
  ran_dry_.notify_all();
}

void WorkerPool::give(BlockRange range) {
  const std::lock_guard lock(mutex_);
  if (failure_) return;
  for (std::uint64_t block = range.first; block < range.end; ++block) waiting_.push_back(block);
  has_work_.notify_all();
}

void WorkerPool::drop_waiting() {
  const std::lock_guard lock(mutex_);
  waiting_.clear();
}

std::vector<FinishedBlock> WorkerPool::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  ran_dry_.wait_for(lock, patience, [this] {
    return running_ == 0 && waiting_.empty() && (failure_ || !finished_.empty());
  });
  return std::exchange(finished_, {});
}

bool WorkerPool::is_idle() const {
  const std::lock_guard lock(mutex_);
  return running_ == 0 && waiting_.empty() && finished_.empty();
}

std::uint64_t WorkerPool::wanted() const {
  const std::lock_guard lock(mutex_);
  if (failure_) return 0;
  const double ahead =
      block_seconds_
          ? std::clamp(std::ceil(seconds_ahead / std::max(*block_seconds_, 1e-9)), 1.0, most_ahead)
          : 1.0;
  return threads_ * (1 + static_cast<std::uint64_t>(ahead));
}

std::optional<Failure> WorkerPool::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace blocks
}  // namespace tofn
