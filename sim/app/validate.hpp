#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/answers/steps_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace app {

namespace option {
inline constexpr Text protocol{{"protocol"}};
inline constexpr Text against{
    {"against", "a scorecard of `validate all --update FILE.csv`: exit 1 where a figure is worse"}};
inline constexpr Text update{
    {"update",
     "a scorecard to write, where each figure that is worse has a cause (--why) "
     "and the experiment that shows it (--without)"}};
inline constexpr Texts why{
    {"why",
     "'ROW: CAUSE' why figures of the row of that name are worse, of at most three "
     "rows; once for each row",
     Takes::ValueEachTime}};
inline constexpr Texts without{
    {"without",
     "a scorecard of a build in which the change alone that made them worse is "
     "reverted: it shows the causes of --why",
     Takes::ValueEachTime}};
}  // namespace option

/// Question of `tofn validate KIND FILE...`.
struct Request {
  CommonOptions common;
  std::vector<std::string> files;
  std::optional<std::string> protocol, cluster, against, update;
  std::vector<std::string> why;      ///< reasons of figures that are worse
  std::vector<std::string> without;  ///< scorecards of builds that each lack one change
};

/// Files that were named, otherwise the shipped ones.
std::vector<std::filesystem::path> tables_of(const Request&,
                                             std::vector<std::filesystem::path> shipped);

/// Protocol of the requested name, which refers to the request, or the table's first if none was
/// requested. InputError if the name is unknown.
template <class E, std::size_t N>
std::pair<std::string_view, E> protocol_of(
    const Request& request, const std::array<std::pair<std::string_view, E>, N>& table) {
  if (!request.protocol) return table.front();
  return {*request.protocol,
          choice_in(table, *request.protocol, option::protocol.flag(), "protocol")};
}

/// Prints `left_out` and throws InputError if every row was skipped for a reason other than
/// `since_it_calibrates`.
template <class Row>
void require_answered(const std::vector<Row>& rows, std::string_view left_out) {
  for (const Row& row : rows)
    if (row.skipped_because.empty() || row.skipped_because == since_it_calibrates) return;
  tell(left_out);
  throw InputError("nothing could be scored");
}

/// Scores measured collectives that were held out. Only `validate_all` has an exit code other than
/// 0.
CommandAnswer validate_collectives(const Request&);
/// Scores published training steps, each predicted by a fit to other steps.
CommandAnswer validate_steps(const Request&);
/// Scores whether those predictions rank plans in the measured order.
CommandAnswer validate_plans(const Request&);
/// Scores everything that ships. The exit code is 1 if a figure is worse than in the scorecard of
/// `--against`, or worse than in that of `--update` without a reason.
CommandAnswer validate_all(const Request&);

}  // namespace app
}  // namespace tofn
