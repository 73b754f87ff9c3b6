#pragma once

#include <thread>
#include <utility>

namespace tofn {

#ifdef __EMSCRIPTEN__
/// std::jthread, which its library (LLVM's 13) does not have. A page's program has one thread, so
/// that none is made there.
class JoinedThread {
 public:
  template <class Work>
  explicit JoinedThread(Work&& work) : thread_(std::forward<Work>(work)) {}
  JoinedThread(JoinedThread&&) noexcept = default;
  JoinedThread& operator=(JoinedThread&&) = delete;
  ~JoinedThread() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};
#else
using JoinedThread = std::jthread;
#endif

}  // namespace tofn
