#pragma once

#include <functional>
#include <mutex>
#include <optional>

#include "sim/app/command.hpp"
#include "sim/app/progress_counter.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/core/error.hpp"

namespace tofn {
inline namespace app {

/// A search over machines that shows its progress, and that Ctrl-C ends with the best so far.
class StoppableSearch {
 public:
  std::function<bool()> is_stopped() {
    return [this] {
      const std::lock_guard lock(one_at_a_time_);
      return interruption_.signal() != 0;
    };
  }
  OnProgress on_progress() const { return counter_->on_progress(); }

  /// Searches until it is stopped; absent if that happens before the first candidate.
  template <class Choose>
  auto choice(const Choose& choose) -> std::optional<decltype(choose())> {
    std::optional<decltype(choose())> chosen;
    try {
      chosen = choose();
    } catch (const InputError& error) {
      if (interruption_.signal() == 0) throw;
      say_why_it_failed(error.what());
    }
    counter_.reset();
    return chosen;
  }
  /// Exit code of a search that was stopped.
  int exit_code() { return exit_code_of_signal(interruption_.signal()); }

 private:
  Interruption interruption_;
  std::mutex one_at_a_time_;
  std::optional<ProgressCounter> counter_{std::in_place, "runs tried"};
};

}  // namespace app
}  // namespace tofn
