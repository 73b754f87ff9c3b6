#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tofn {
inline namespace formats {

using MllogFigures = std::vector<std::pair<std::string, double>>;

/// One line of MLPerf's log: `:::MLLOG {"time_ms": ..., "event_type": ..., "key": ..., "value":
/// ..., "metadata": {...}}`, after any prefix of a launcher.
struct MllogEvent {
  std::string key{};
  std::optional<double> milliseconds{};
  std::string text{};              ///< the value if it is text, otherwise empty
  std::optional<double> number{};  ///< the value if it is a number, or a number as text
  MllogFigures figures{};          ///< of a value that is an object
  MllogFigures metadata{};         ///< numbers only
  std::string status{};            ///< of the metadata
};

/// Returns the figure of that name; absent if there is none.
std::optional<double> figure_named(const MllogFigures&, std::string_view name);

bool has_mllog_mark(std::string_view line);

/// Returns the event of a line with the mark; absent if no JSON with a key follows the mark.
std::optional<MllogEvent> parse_mllog(std::string_view line);

}  // namespace formats
}  // namespace tofn
