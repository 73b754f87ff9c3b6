#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <vector>

#include <cuda_runtime_api.h>

#include "tests/standin/library/arena.hpp"

namespace tofn::standin {

class Gpu;

/// Error of work that reads or writes memory that is not its device's.
class IllegalAddress : public std::exception {};

/// Time noted by one cudaEventRecord.
struct Recording {
  bool is_reached = false;
  double seconds = 0;
};

using Action = std::function<void(Gpu&)>;

struct Work {
  Action act;                            ///< empty: the work only waits
  std::shared_ptr<Recording> waits_for;  ///< the work begins after this is reached
  std::shared_ptr<Recording> notes;      ///< reached once the work is done
  std::uint64_t turn = 0;                ///< order in which the program gave it
};

/// A stream: a queue with a thread. The lock of its device protects the members.
struct Queue {
  explicit Queue(Gpu& owner) : gpu(owner) {}
  Gpu& gpu;
  std::deque<Work> waiting;
  std::uint64_t running = 0;  ///< turn of the current work; 0 if none
  bool is_closed = false;
  bool is_gone = false;  ///< closed, with its thread ended
  std::condition_variable changed;
  std::optional<std::vector<Action>> capture;  ///< actions captured so far, during a capture
  bool is_capture_broken = false;
};

/// A device that shows missing synchronisation. No work begins before the program waits for it, or
/// before a pause that is long for a program, so a program that reads without waiting gets old
/// data. Of several streams, the work given last runs first and to its end, so work that no event
/// orders runs in the wrong order.
class Gpu {
 public:
  Gpu(int number, std::size_t memory);
  int number() const { return number_; }
  Arena& arena() { return arena_; }
  Queue& default_queue() { return *default_queue_; }

  Queue& open_queue();
  void close_queue(Queue&);
  /// Appends work to the queue, or to its graph during a capture.
  void put(Queue&, Work);
  /// Lets all work given so far begin.
  void release();
  /// Waits until all work given so far is done, in one queue or in all.
  void wait_for(Queue&);
  void wait_for_all();
  void wait_for(const Recording&);
  /// Releases all work, and returns whether the recording is reached now or within a moment.
  bool is_reached(const Recording&);

  /// Address of the bytes for the device. Throws IllegalAddress if they are another device's, the
  /// host's, or freed.
  std::byte* at(const void* pointer, std::size_t bytes);
  template <class Value>
  Value* array(const Value* pointer, std::size_t count) {
    return reinterpret_cast<Value*>(at(pointer, count * sizeof(Value)));
  }
  /// First error of the device, which every later call returns, as CUDA's context does.
  cudaError_t sticky() const;
  void fail(cudaError_t);
  std::mutex& mutex() { return mutex_; }
  /// Releases the work that was given before the last tick.
  void tick();

 private:
  void serve(Queue&);
  bool may_begin(const Queue&) const;
  bool is_runnable(const Queue&) const;
  void perform(const Work&);
  void wake_all();
  void hold_until(std::unique_lock<std::mutex>&, const std::function<bool()>& is_done);

  int number_;
  Arena arena_;
  mutable std::mutex mutex_;
  std::condition_variable done_;
  std::vector<std::unique_ptr<Queue>> queues_;
  std::uint64_t next_turn_ = 1;
  std::uint64_t released_ = 0;
  std::uint64_t ticked_ = 0;
  cudaError_t sticky_ = cudaSuccess;
  Queue* default_queue_;  // last, because its thread uses the members above
};

/// Number of devices of this process, from TOFN_STANDIN_DEVICES (default 1). Each has
/// TOFN_STANDIN_MEMORY_MIB (default 2048).
int gpu_count();
Gpu& gpu(int number);
/// Device of the calling thread.
Gpu& current_gpu();
void use_gpu(int number);

}  // namespace tofn::standin
