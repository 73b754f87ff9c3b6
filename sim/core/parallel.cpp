#include "sim/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <vector>

#include "sim/core/joined_thread.hpp"

namespace tofn {

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next = 0;
  const auto go_on = [&] {
    for (std::size_t i = next++; i < count; i = next++) try {
        work(i);
      } catch (...) {
        thrown[i] = std::current_exception();
      }
  };
  {
    std::vector<JoinedThread> others;
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t i = 1; i < std::min(cores, count); ++i) others.emplace_back(go_on);
    go_on();
  }
  for (const std::exception_ptr& each : thrown)
    if (each) std::rethrow_exception(each);
}

}  // namespace tofn
