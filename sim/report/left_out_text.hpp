#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace report {

/// Row of a table without an answer.
struct LeftOutRow {
  std::string why;
  Location location{};  ///< not printed if it has no line
  std::string name{};   ///< empty if the row has no name to print
};

/// Text such as `left out: 11 x WHY (first: FILE:LINE): NAMES`, one paragraph a reason. The reason
/// `counted_alone` gets only its number.
std::string left_out_text(const std::vector<LeftOutRow>&, std::string_view counted_alone = {});

/// Text such as `left out      11 x WHY`, one line a reason.
std::string left_out_counts(const std::vector<LeftOutRow>&);

}  // namespace report
}  // namespace tofn
