#include "sim/report/collective_report.hpp"

#include <fmt/format.h>

#include "sim/core/bus_factor.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

std::string library_of(const TimedAlgorithm& each) {
  return std::string(name_in(library_names, each.algorithm->library));
}

std::string protocol_of(const TimedAlgorithm& each) {
  const auto& protocol = each.algorithm->protocol;
  return protocol ? std::string(name_in(protocol_names, *protocol)) : "";
}

double bus_bandwidth_gb_s(const TimedAlgorithm& each, const CollectiveRequest& asked) {
  const std::string kind(name_in(collective_kinds, asked.kind));
  return (asked.size / each.time).base() / 1e9 *
         bus_factor(kind, asked.communicator.ranks).value_or(1);
}

Records collective_records(const CollectiveAnswer& answer) {
  using Row = TimedAlgorithm;
  const CollectiveRequest& asked = answer.asked;
  const Columns<Row> columns{
      {"algorithm", [](const Row& r) { return r.algorithm->name; }},
      {"protocol", protocol_of},
      {"library", library_of},
      {"time_us", [](const Row& r) { return r.time.base() * 1e6; }},
      {"bus_bandwidth_gb_s", [&](const Row& r) { return bus_bandwidth_gb_s(r, asked); }},
      {"over_fastest", &Row::over},
      {"basis", [&](const Row&) { return asked.communicator.basis; }},
      {"calibration", [&](const Row&) { return known(asked.calibration); }},
      {"calibrated_us", [&](const Row&) {
         return answer.measured ? std::optional(answer.measured->cost.time.base() * 1e6)
                                : std::nullopt;
       }}};
  std::vector<Row> rows = answer.own;
  rows.insert(rows.end(), answer.others.begin(), answer.others.end());
  return records_of(columns, rows);
}

namespace {

std::string kind_text(const CollectiveRequest& asked) {
  return std::string(name_in(collective_kinds, asked.kind));
}

std::string name_text(const Algorithm& algorithm) {
  if (!algorithm.protocol) return std::string(algorithm.name);
  return fmt::format("{} {}", algorithm.name, name_in(protocol_names, *algorithm.protocol));
}

/// `ring LL below 1.2 MB, then in-switch Simple`
std::string crossovers(const std::vector<ChosenUpTo>& by_size) {
  std::string text;
  for (const ChosenUpTo& each : by_size) {
    text += name_text(*each.algorithm);
    if (each.end) text += fmt::format(" below {}, then ", to_text(*each.end));
  }
  return text;
}

/// What the calibration says of it; empty without one.
std::string measured_text(const CollectiveAnswer& answer) {
  const CollectiveRequest& asked = answer.asked;
  if (asked.calibration.empty()) return {};
  if (!answer.measured)
    return fmt::format("calibration {} holds no table for {} over {} ranks: formulas alone\n",
                       asked.calibration, kind_text(asked), asked.communicator.ranks);
  const auto& [cost, carried_from, of, seconds] = *answer.measured;
  const std::string how =
      of ? fmt::format("carried over by formula from its {}", name_in(collective_kinds, *of))
      : carried_from
          ? fmt::format("carried over by formula from {} ranks", *carried_from)
          : fmt::format("90 % interval {:.1f}-{:.1f}", 1e6 * seconds.low, 1e6 * seconds.high);
  return fmt::format("by the calibration {:.1f} us, {} ({})\n", cost.time.base() * 1e6, how,
                     to_text(cost.basis));
}

/// `, 12.8 x more nodes than the formulas were fitted to`; empty up to four times as many.
std::string extrapolation_text(const CollectiveAnswer& answer) {
  std::string text;
  if (answer.beyond_nodes > far_beyond)
    text +=
        fmt::format(", {:.3g} x more nodes than the formulas were fitted to", answer.beyond_nodes);
  if (answer.beyond_sizes > far_beyond)
    text += fmt::format(", {:.3g} x larger than the formulas were fitted to", answer.beyond_sizes);
  return text;
}

std::string own_table(const CollectiveAnswer& answer) {
  TextTable table(
      {{"algorithm", Align::Left}, {"protocol", Align::Left}, {"us"}, {"bus GB/s"}, {"forced"}});
  for (const TimedAlgorithm& each : answer.own)
    table.add({std::string(each.algorithm->name), protocol_of(each),
               fmt::format("{:.1f}", each.time.base() * 1e6),
               fmt::format("{:.2f}", bus_bandwidth_gb_s(each, answer.asked)),
               each.over == 1 ? "chosen" : fmt::format("{:.2f} x", each.over)});
  return table.render();
}

std::string others_table(const CollectiveAnswer& answer) {
  TextTable table(
      {{"algorithm", Align::Left}, {"library", Align::Left}, {"us"}, {"bus GB/s"}, {"factor"}});
  for (const TimedAlgorithm& each : answer.others)
    table.add({std::string(each.algorithm->name), library_of(each),
               fmt::format("{:.1f}", each.time.base() * 1e6),
               fmt::format("{:.2f}", bus_bandwidth_gb_s(each, answer.asked)),
               fmt::format("{:.2f} x", each.over)});
  return table.render();
}

}  // namespace

std::string collective_text(const CollectiveAnswer& answer) {
  const Communicator& c = answer.asked.communicator;
  std::string text = fmt::format(
      "{} of {} over {} ranks in {} scale-up domain{}: {:.1f} us by {} ({}{})\n{}{}by "
      "size: {}\n",
      kind_text(answer.asked), to_text(answer.asked.size), c.ranks, c.domains,
      c.domains == 1 ? "" : "s", answer.own.front().time.base() * 1e6,
      answer.own.front().algorithm->name, to_text(c.basis), extrapolation_text(answer),
      own_table(answer), measured_text(answer), crossovers(answer.by_size));
  if (!answer.others.empty())
    text += fmt::format("\nwhat another library could do, by hops and bytes alone\n{}",
                        others_table(answer));
  return text;
}

}  // namespace report
}  // namespace tofn
