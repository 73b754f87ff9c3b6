#pragma once

#include <functional>
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

/// Rows that were skipped, each with its location and name.
template <class Rows, class PlaceOf, class NameOf>
std::vector<LeftOutRow> left_out_rows(const Rows& rows, PlaceOf place_of, NameOf name_of) {
  std::vector<LeftOutRow> left_out;
  for (const auto& row : rows)
    if (!row.skipped_because.empty())
      left_out.push_back(
          {row.skipped_because, std::invoke(place_of, row), std::invoke(name_of, row)});
  return left_out;
}

/// Text such as `left out: 11 x WHY (first: FILE:LINE): NAMES`, one paragraph a reason. The reason
/// `counted_alone` gets only its number.
std::string left_out_text(const std::vector<LeftOutRow>&, std::string_view counted_alone = {});

/// Text such as `left out      11 x WHY`, one line a reason.
std::string left_out_counts(const std::vector<LeftOutRow>&);

}  // namespace report
}  // namespace tofn
