#include "sim/blocks/worker_pool.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "sim/blocks/interruption.hpp"
#include "sim/core/error.hpp"
#include "sim/core/memory_failures.hpp"

namespace tofn {
inline namespace blocks {
namespace {

/// Bytes of rows that may wait for a slow earlier block, or for the disk.
constexpr std::size_t most_waiting_bytes = 64 << 20;
constexpr std::size_t most_taken_bytes = 4 << 20;

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

Failure failure_of_signal(int signal) {
  return {.exit_code = exit_code_of_signal(signal),
          .text = signal == SIGINT ? "interrupted" : "ended by SIGTERM"};
}

WorkerPool::WorkerPool(int threads, const std::function<BlockWorker()>& make_worker,
                       BlockShare share)
    : step_(share.ranks),
      next_(share.first + (share.rank + share.ranks - share.first % share.ranks) % share.ranks),
      end_(share.end) {
  try {
    std::vector<BlockWorker> workers;
    for (int i = 0; i < threads; ++i) workers.push_back(make_worker());
    for (BlockWorker& worker : workers)
      threads_.emplace_back([this, worker = std::move(worker)] { work(worker); });
  } catch (...) {  // also if the system has no more threads: those that run must end
    const std::lock_guard lock(mutex_);
    fail(0);
  }
}

WorkerPool::~WorkerPool() { stop(); }

void WorkerPool::stop() {
  const std::lock_guard lock(mutex_);
  end_ = 0;
  may_begin_.notify_all();
}

/// If no block has begun, one always may, because all wait for it.
bool WorkerPool::can_begin() const {
  return next_ < end_ &&
         (begun_.empty() || waiting_bytes_ + begun_.size() * sizeof begun_[0] < most_waiting_bytes);
}

bool WorkerPool::can_take() const { return !begun_.empty() && begun_.front().has_value(); }

void WorkerPool::work(const BlockWorker& worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    may_begin_.wait(lock, [this] { return next_ >= end_ || can_begin(); });
    if (next_ >= end_) return;
    const std::uint64_t block = std::exchange(next_, next_ + step_);
    ++running_;
    try {
      std::optional<std::string>& finished = begun_.emplace_back();  // a deque keeps it in place
      lock.unlock();
      std::string rows = worker(block);
      require_memory();
      lock.lock();
      waiting_bytes_ += rows.size();
      finished = std::move(rows);
    } catch (...) {
      if (!lock.owns_lock()) lock.lock();
      fail(block);
    }
    if (--running_ == 0 && !can_begin()) ran_dry_.notify_all();
  }
}

void WorkerPool::fail(std::uint64_t block) {
  if (failure_ && failed_block_ < block) return;
  failure_ = failure_of(std::current_exception());
  failed_block_ = block;
  end_ = 0;
  may_begin_.notify_all();
}

std::deque<std::string> WorkerPool::take(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  ran_dry_.wait_for(lock, patience, [this] {
    return can_take() && (waiting_bytes_ >= most_taken_bytes || (running_ == 0 && !can_begin()));
  });
  std::deque<std::string> taken;
  for (std::size_t bytes = 0; can_take() && bytes < most_taken_bytes; begun_.pop_front()) {
    bytes += begun_.front()->size();
    waiting_bytes_ -= begun_.front()->size();
    taken.push_back(std::move(*begun_.front()));
  }
  may_begin_.notify_all();
  return taken;
}

bool WorkerPool::has_ended() const {
  const std::lock_guard lock(mutex_);
  return running_ == 0 && next_ >= end_ && !can_take();
}

std::optional<Failure> WorkerPool::failure() const {
  const std::lock_guard lock(mutex_);
  return failure_;
}

}  // namespace blocks
}  // namespace tofn
