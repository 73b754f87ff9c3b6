#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/expense/expense.hpp"

namespace tofn {
inline namespace answers {

/// Share of a published run's time that was spent on training, as its authors state it, with the
/// predicted goodput.
struct StatedGoodput {
  std::size_t row = 0;  ///< index in the table
  std::string run;
  int accelerators = 0;
  double stated = 0;
  bool is_bound = false;  ///< the authors state it as a lower bound
  Goodput typical;

  bool is_held() const { return (stated >= typical.low || is_bound) && stated <= typical.high; }
};

/// Returns the rows of a table of runs (`runs_answer`) with a `goodput`: `0.97`, or `>0.9`. A run
/// without stated hours is assumed to last a month.
std::vector<StatedGoodput> goodput_answer(const std::filesystem::path& table);

}  // namespace answers
}  // namespace tofn
