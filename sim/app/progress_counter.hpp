#pragma once

#include <string_view>

#include "sim/core/parallel.hpp"

namespace tofn {
inline namespace app {

/// Line on standard error that counts, `7 of 20 parts scored, 12 s left`, if that is a terminal.
/// The destructor clears it.
class ProgressCounter {
 public:
  explicit ProgressCounter(std::string_view what);  ///< `parts scored`; must outlive this object
  ~ProgressCounter();
  ProgressCounter(const ProgressCounter&) = delete;
  ProgressCounter& operator=(const ProgressCounter&) = delete;
  OnProgress on_progress() const;

 private:
  std::string_view what_;
  bool is_shown_;
};

}  // namespace app
}  // namespace tofn
