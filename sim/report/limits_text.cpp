#include "sim/report/limits_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/names.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"

namespace tofn {
inline namespace report {

std::string limits_text(const std::vector<RunLimit>& limits) {
  std::vector<std::string> texts;
  for (const RunLimit& limit : limits) {
    const RunFigure& figure = figure_of(limit.figure);
    const std::string most =
        limit.figure == &RunFigures::days ? time_words(Seconds{limit.most * 24 * seconds_per_hour})
        : limit.figure == &RunFigures::kilowatt_hours
            ? energy_words(limit.most)
            : figure_text(figure, limit.most) + " " + std::string(figure.title);
    texts.push_back(most + (limit.dates.empty() ? "" : " (" + limit.dates + ")"));
  }
  return list_text(texts, "and");
}

std::string chances_text(const std::vector<RunLimit>& limits, const std::vector<RunPoint>& points) {
  if (limits.empty()) return {};
  std::vector<std::string> chances;
  for (const RunPoint& point : points)
    if (point.estimate)
      chances.push_back(fmt::format("{:.0f} % on {}", 100 * chance_of(*point.estimate, limits),
                                    point.accelerators));
  return note("chance",
              fmt::format("of at most {}: {}", limits_text(limits), fmt::join(chances, ", ")));
}

}  // namespace report
}  // namespace tofn
