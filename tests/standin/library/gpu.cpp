#include "tests/standin/library/gpu.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

#include "tests/standin/library/refusal_by_name.hpp"

namespace tofn::standin {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// True if all work given before this turn is done.
bool is_past(const Queue& queue, std::uint64_t turn) {
  return (queue.running == 0 || queue.running >= turn) &&
         (queue.waiting.empty() || queue.waiting.front().turn >= turn);
}

}  // namespace

Gpu::Gpu(int number, std::size_t memory)
    : number_(number), arena_(memory), default_queue_(&open_queue()) {}

Queue& Gpu::open_queue() {
  const std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](const auto& queue) { return queue->is_gone; });
  Queue& queue = *queues_.emplace_back(std::make_unique<Queue>(*this));
  std::thread([this, &queue] { serve(queue); }).detach();
  return queue;
}

/// Closes a stream once its work is done, as CUDA does. Its thread then ends, and only a few bytes
/// remain.
void Gpu::close_queue(Queue& queue) {
  const std::lock_guard lock(mutex_);
  queue.is_closed = true;
  released_ = next_turn_;
  wake_all();
}

void Gpu::put(Queue& queue, Work work) {
  const std::lock_guard lock(mutex_);
  if (queue.capture) {
    if (work.waits_for || work.notes) refuse("cudaStreamBeginCapture", "events within a graph");
    queue.capture->push_back(std::move(work.act));
    return;
  }
  work.turn = next_turn_++;
  queue.waiting.push_back(std::move(work));
}

void Gpu::release() {
  const std::lock_guard lock(mutex_);
  released_ = next_turn_;
  wake_all();
}

void Gpu::tick() {
  const std::lock_guard lock(mutex_);
  released_ = std::max(released_, ticked_);
  ticked_ = next_turn_;
  wake_all();
}

void Gpu::wake_all() {
  for (const auto& queue : queues_)
    if (!queue->waiting.empty() || queue->is_closed) queue->changed.notify_one();
  done_.notify_all();
}

void Gpu::hold_until(std::unique_lock<std::mutex>& lock, const std::function<bool()>& is_done) {
  released_ = next_turn_;
  wake_all();
  done_.wait(lock, is_done);
}

void Gpu::wait_for(Queue& queue) {
  std::unique_lock lock(mutex_);
  const std::uint64_t end = next_turn_;
  hold_until(lock, [&] { return is_past(queue, end); });
}

void Gpu::wait_for_all() {
  std::unique_lock lock(mutex_);
  const std::uint64_t end = next_turn_;
  hold_until(lock, [&] {
    return std::all_of(queues_.begin(), queues_.end(),
                       [&](const auto& queue) { return is_past(*queue, end); });
  });
}

void Gpu::wait_for(const Recording& recording) {
  std::unique_lock lock(mutex_);
  hold_until(lock, [&] { return recording.is_reached || sticky_ != cudaSuccess; });
}

bool Gpu::is_reached(const Recording& recording) {
  std::unique_lock lock(mutex_);
  if (recording.is_reached) return true;
  released_ = next_turn_;
  wake_all();
  // Waiting a moment leaves the processor to the threads that do the work, if a program polls.
  done_.wait_for(lock, std::chrono::microseconds(100));
  return recording.is_reached;
}

std::byte* Gpu::at(const void* pointer, std::size_t bytes) {
  std::byte* place = arena_.at(pointer, bytes);
  if (place == nullptr && bytes > 0) throw IllegalAddress();
  return place;
}

cudaError_t Gpu::sticky() const {
  const std::lock_guard lock(mutex_);
  return sticky_;
}

void Gpu::fail(cudaError_t error) {
  const std::lock_guard lock(mutex_);
  if (sticky_ == cudaSuccess) sticky_ = error;
  wake_all();
}

bool Gpu::is_runnable(const Queue& queue) const {
  if (queue.running != 0 || queue.waiting.empty()) return false;
  const Work& first = queue.waiting.front();
  return first.turn < released_ && (!first.waits_for || first.waits_for->is_reached);
}

bool Gpu::may_begin(const Queue& queue) const {
  if (!is_runnable(queue)) return false;
  const std::uint64_t turn = queue.waiting.front().turn;
  return std::none_of(queues_.begin(), queues_.end(), [&](const auto& other) {
    return other->running > turn || (is_runnable(*other) && other->waiting.front().turn > turn);
  });
}

void Gpu::serve(Queue& queue) {
  std::unique_lock lock(mutex_);
  while (true) {
    queue.changed.wait(
        lock, [&] { return may_begin(queue) || (queue.is_closed && queue.waiting.empty()); });
    if (queue.waiting.empty()) {
      queue.is_gone = true;
      return;
    }
    const Work work = std::move(queue.waiting.front());
    queue.waiting.pop_front();
    queue.running = work.turn;
    const bool is_alive = sticky_ == cudaSuccess;
    lock.unlock();
    if (is_alive) perform(work);
    lock.lock();
    queue.running = 0;
    if (work.notes) *work.notes = {.is_reached = true, .seconds = now()};
    wake_all();
  }
}

void Gpu::perform(const Work& work) {
  if (!work.act) return;
  try {
    work.act(*this);
  } catch (const IllegalAddress&) {
    fail(cudaErrorIllegalAddress);
  }
}

namespace {

int setting(const char* name, int fallback) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  if (text == nullptr) return fallback;
  char* end = nullptr;
  const long value = std::strtol(text, &end, 10);
  if (end == text || *end != '\0' || value < 0 || value > 1 << 20)
    refuse(name, std::string("expected a whole number, got '") + text + "'");
  return static_cast<int>(value);
}

/// Devices of this process. They are never destroyed, because their threads end with the process.
std::vector<Gpu*>& gpus() {
  static auto* const all = [] {
    auto* made = new std::vector<Gpu*>;
    const std::size_t memory = static_cast<std::size_t>(setting("TOFN_STANDIN_MEMORY_MIB", 2048))
                               << 20;
    for (int number = 0; number < setting("TOFN_STANDIN_DEVICES", 1); ++number)
      made->push_back(new Gpu(number, memory));
    std::thread([made] {
      while (true) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        for (Gpu* each : *made) each->tick();
      }
    }).detach();
    return made;
  }();
  return *all;
}

thread_local int current = 0;

}  // namespace

int gpu_count() { return static_cast<int>(gpus().size()); }
Gpu& gpu(int number) { return *gpus()[static_cast<std::size_t>(number)]; }
Gpu& current_gpu() { return gpu(current); }
void use_gpu(int number) { current = number; }

}  // namespace tofn::standin
