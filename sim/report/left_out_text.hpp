#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace report {

/// Row of a table that is not answered.
struct LeftOutRow {
  std::string why;
  Location location{};  ///< without a line it is not told
  std::string name{};   ///< empty: nobody misses it
};

/// `left out: 11 x WHY (first: FILE:LINE): NAMES`, a paragraph a reason. Of the reason
/// `counted_alone` the number alone.
std::string left_out_text(const std::vector<LeftOutRow>&, std::string_view counted_alone = {});

/// `left out      11 x WHY`, a line a reason.
std::string left_out_counts(const std::vector<LeftOutRow>&);

}  // namespace report
}  // namespace tofn
