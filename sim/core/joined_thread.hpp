#pragma once

#include <thread>
#include <utility>

namespace tofn {

/// A thread that joins when destroyed, like std::jthread, which emscripten's library (LLVM's 13)
/// lacks.
class JoinedThread {
 public:
  template <class Work>
  explicit JoinedThread(Work work) : thread_(std::move(work)) {}
  JoinedThread(JoinedThread&&) noexcept = default;
  JoinedThread& operator=(JoinedThread&&) = delete;
  ~JoinedThread() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

}  // namespace tofn
