#pragma once

#include <span>
#include <string>
#include <string_view>

#include "microbench/harness/placement.hpp"
#include "sim/core/record.hpp"

namespace tofn::bench {

/// Parameters that the rows of one table share.
struct CollectiveHeading {
  std::string_view operation;
  std::string_view type;
  std::string_view group;
  Groups groups;
  bool in_place = false;
  bool is_cold = false;
  std::string library;
  std::string memory;
};

/// The points as nccl-tests prints them, with intervals: whole lines, and a blank one.
std::string collective_table(const CollectiveHeading&, std::span<const RecordPoint>);

/// A line with the reason why there is no table.
std::string left_out(const CollectiveHeading&, std::string_view why);

}  // namespace tofn::bench
