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

/// What a piece of work throws that read or wrote what is not its device's.
class IllegalAddress : public std::exception {};

/// One cudaEventRecord: where the stream was told to note the time.
struct Recording {
  bool is_reached = false;
  double seconds = 0;
};

using Action = std::function<void(Gpu&)>;

struct Work {
  Action act;                            ///< empty: only waits
  std::shared_ptr<Recording> waits_for;  ///< it is not begun before this is reached
  std::shared_ptr<Recording> notes;      ///< reached once it is done
  std::uint64_t turn = 0;                ///< the order in which the program gave it
};

/// A stream: a queue with a thread. Members are used under the lock of its device.
struct Queue {
  explicit Queue(Gpu& owner) : gpu(owner) {}
  Gpu& gpu;
  std::deque<Work> waiting;
  std::uint64_t running = 0;  ///< the turn of what is being done; 0: nothing
  bool is_closed = false;
  bool is_gone = false;  ///< closed, and its thread has ended
  std::condition_variable changed;
  std::optional<std::vector<Action>> capture;  ///< while it is captured: what was put on it
  bool is_capture_broken = false;
};

/// A device. Nothing given to it begins before somebody waits for it, or before a pause that is
/// long for a program: what a program reads without waiting is old. Of several streams the work
/// given last goes first, and is done before what was given earlier begins: what is not ordered by
/// an event runs in the wrong order.
class Gpu {
 public:
  Gpu(int number, std::size_t memory);
  int number() const { return number_; }
  Arena& arena() { return arena_; }
  Queue& default_queue() { return *default_queue_; }

  Queue& open_queue();
  void close_queue(Queue&);
  /// Puts it behind what the queue has; into the graph where the queue is captured.
  void put(Queue&, Work);
  /// Lets everything that was given begin.
  void release();
  /// Returns when all work given so far is done: of one queue, or of all.
  void wait_for(Queue&);
  void wait_for_all();
  void wait_for(const Recording&);
  /// Releases, and looks whether it is reached, at once or within a moment.
  bool is_reached(const Recording&);

  /// What a program must not pass: an address of another device, of the host, or freed.
  /// Throws IllegalAddress.
  std::byte* at(const void* pointer, std::size_t bytes);
  template <class Value>
  Value* array(const Value* pointer, std::size_t count) {
    return reinterpret_cast<Value*>(at(pointer, count * sizeof(Value)));
  }
  /// The error that every later call gets, as CUDA's context keeps it.
  cudaError_t sticky() const;
  void fail(cudaError_t);
  std::mutex& mutex() { return mutex_; }
  /// Lets begin what was given before the last tick.
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
  Queue* default_queue_;  // last: its thread uses what stands above
};

/// The devices of this process: TOFN_STANDIN_DEVICES (1), each of TOFN_STANDIN_MEMORY_MIB (2048).
int gpu_count();
Gpu& gpu(int number);
/// The calling thread's.
Gpu& current_gpu();
void use_gpu(int number);

}  // namespace tofn::standin
