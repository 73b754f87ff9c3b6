#include "sim/report/watch_collectives_report.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/text/stated_placement.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr double giga_bytes = 1e9;
constexpr const char* expected_head = "expected GB/s";

TableColumns<WatchedCollective> watched_columns(const WatchedCollectives& now) {
  using Row = WatchedCollective;
  const auto in_gb = [](BytesPerSecond bandwidth) { return bandwidth.base() / giga_bytes; };
  return {{"collective", [](const Row& r) { return collective_name(r.collective); },
           left("collective")},
          {"communicator", [](const Row& r) { return known(r.communicator); },
           "communicator of the collective"},
          {"ranks", &Row::ranks, right("ranks")},
          {"nodes", &Row::nodes, right("nodes")},
          {"size_bytes", [](const Row& r) { return r.size.base(); },
           right("size", [](const Row& r) { return to_text(r.size); }), "size of the collective"},
          {"calls", [](const Row& r) { return static_cast<long long>(r.calls); }, right("calls"),
           "calls that were seen"},
          {"time_s", [](const Row& r) { return r.time.base(); },
           right("time", [](const Row& r) { return to_text(r.time, 3); })},
          {"first_bus_gb_s", of_its(&Row::first, in_gb), right("first GB/s", "{:.4g}"),
           "bus bandwidth of the first calls"},
          {"newest_bus_gb_s", of_its(&Row::newest, in_gb), right("newest GB/s", "{:.4g}"),
           "bus bandwidth of the newest calls"},
          {"expected_bus_gb_s", of_its(&Row::expected, in_gb), right(expected_head, "{:.4g}"),
           "bus bandwidth by the cluster's measurements or links"},
          {"drift", &Row::drift, right("drift %", signed_percent),
           "drift of the newest figures against the prediction or the start"},
          {"unwaited_drift", &Row::unwaited_drift, right("of fastest %", signed_percent),
           "drift of the fastest calls, which wait for nobody"},
          {"drift_of_all", [&now](const Row&) { return now.drift; },
           "drift of all collectives' bandwidth"},
          {"share_of_time", [&now](const Row&) { return now.share; },
           "share of the time that collectives take"},
          {"cause", [&now](const Row&) { return known(now.cause); }}};
}

}  // namespace

std::string watch_collectives_line(const WatchedCollectives& now) {
  constexpr double least = 0.01;
  std::string text =
      fmt::format("{} collectives, {} in them", now.calls, to_text(now.in_collectives, 3));
  if (now.share) text += fmt::format(" ({:.0f} % of the time)", 100 * *now.share);
  return text +
         (now.drift > -least && now.drift < least
              ? ", bandwidth as at their start"
              : fmt::format(", bandwidth {} % against their start", signed_percent(now.drift)));
}

std::string watch_collectives_text(const WatchedCollectives& now) {
  constexpr std::size_t most = 12;
  std::string text = watch_collectives_line(now) + '\n';
  if (!now.cause.empty()) text += note("likely cause", now.cause);
  const auto shown = std::span(now.kinds).first(std::min(most, now.kinds.size()));
  const bool has_expected =
      std::ranges::any_of(shown, [](const auto& each) { return each.expected.has_value(); });
  text += has_expected ? table_text(watched_columns(now), shown)
                       : table_text(watched_columns(now), shown, {expected_head});
  if (now.kinds.size() > most)
    text += fmt::format("and {} kinds and sizes more, of less time\n", now.kinds.size() - most);
  return text + "bus bandwidth of the medians; fastest: of calls that waited least for others\n";
}

ExplainedRecords watch_collectives_records(const WatchedCollectives& now) {
  return records_of(watched_columns(now), now.kinds);
}

}  // namespace report
}  // namespace tofn
