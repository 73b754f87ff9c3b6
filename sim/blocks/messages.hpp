#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/blocks/worker_pool.hpp"

namespace tofn {
inline namespace blocks {

/// From a rank to the first one.
struct Report {
  std::uint64_t threads = 0;
  std::uint64_t wanted = 0;
  int signal = 0;  ///< that interrupted it; 0: none
  bool is_last = false;
  std::optional<Failure> failure{};
  std::string identity{};  ///< in the first report only
  std::vector<FinishedBlock> blocks{};
};

/// From the first rank to another: blocks to run, or that no more come.
struct Order {
  BlockRange blocks{};
  bool ends = false;
};

/// Bytes as they go between the ranks of one job, which run the same program on like machines.
std::string to_bytes(const Report&);
std::string to_bytes(const Order&);
Report report_of(std::string_view bytes);
Order order_of(std::string_view bytes);

}  // namespace blocks
}  // namespace tofn
