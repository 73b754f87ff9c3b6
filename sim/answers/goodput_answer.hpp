#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/expense/goodput.hpp"

namespace tofn {
inline namespace answers {

/// The share of a published run's time that trained, as its authors state it, beside the usual one.
struct StatedGoodput {
  std::size_t row = 0;  ///< of the table
  std::string run;
  int accelerators = 0;
  double stated = 0;
  bool is_bound = false;  ///< it was that or more
  Goodput usual;

  bool is_held() const { return (stated >= usual.low || is_bound) && stated <= usual.high; }
};

/// The rows of a table of runs (`runs_answer`) whose column `goodput` is filled: `0.97`, or `>0.9`.
/// Runs of unstated hours are taken for a month.
std::vector<StatedGoodput> goodput_answer(const std::filesystem::path& table);

}  // namespace answers
}  // namespace tofn
