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

namespace {

/// What the calibration says, of the library's own choice, stands before what formulas say of each.
struct CollectiveRow {
  std::string_view algorithm;
  std::string protocol;
  std::string library;
  TimedAlgorithm timed;
  Basis basis = Basis::Formula;
  std::optional<Interval> seconds{};
};

CollectiveRow row_of(const TimedAlgorithm& timed, Basis basis) {
  return {timed.algorithm->name, protocol_of(timed), library_of(timed), timed, basis};
}

/// A time of the library's own choice that no algorithm's formula gave.
CollectiveRow leading_row(const CollectiveAnswer& answer, std::string_view by, Cost cost) {
  return {.algorithm = by,
          .protocol = {},
          .library = library_of(answer.own.front()),
          .timed = {.time = cost.time, .over = cost.time / answer.own.front().time},
          .basis = cost.basis,
          .seconds = answer.seconds()};
}

std::vector<CollectiveRow> rows_of(const CollectiveAnswer& answer) {
  const Basis basis = answer.asked.communicator.basis;
  std::vector<CollectiveRow> rows;
  if (answer.measured)
    rows.push_back(leading_row(answer, "calibration", answer.measured->cost));
  else if (answer.is_by_tables())
    rows.push_back(leading_row(answer, "learnt", {answer.learnt->time, basis}));
  const bool leads_by_formula = rows.empty();
  for (const auto* algorithms : {&answer.own, &answer.others})
    for (const TimedAlgorithm& each : *algorithms) {
      rows.push_back(row_of(each, basis));
      if (leads_by_formula && each.is_chosen) rows.back().seconds = answer.seconds();
    }
  return rows;
}

}  // namespace

Records collective_records(const CollectiveAnswer& answer) {
  using Row = CollectiveRow;
  const CollectiveRequest& asked = answer.asked;
  using Microseconds = std::optional<double>;
  const Columns<Row> columns{
      {"algorithm", &Row::algorithm},
      {"protocol", &Row::protocol},
      {"library", &Row::library},
      {"time_us", [](const Row& r) { return r.timed.time.base() * 1e6; }},
      {"low_us",
       [](const Row& r) {
         return r.seconds ? Microseconds(r.seconds->low * 1e6) : Microseconds();
       }},
      {"high_us",
       [](const Row& r) {
         return r.seconds ? Microseconds(r.seconds->high * 1e6) : Microseconds();
       }},
      {"bus_bandwidth_gb_s", [&](const Row& r) { return bus_bandwidth_gb_s(r.timed, asked); }},
      {"over_fastest", [](const Row& r) { return r.timed.over; }},
      {"is_chosen", [](const Row& r) { return r.timed.is_chosen; }},
      {"basis", &Row::basis},
      {"calibration", [&](const Row&) { return known(asked.calibration); }},
      {"calibrated_us", [&](const Row&) {
         return answer.measured ? Microseconds(answer.measured->cost.time.base() * 1e6)
                                : Microseconds();
       }}};
  return records_of(columns, rows_of(answer));
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

/// `, 90 % interval 5990.1-6250.2`; empty where nothing tells.
std::string interval_text(const CollectiveAnswer& answer) {
  const auto seconds = answer.seconds();
  if (!seconds) return {};
  return fmt::format(", 90 % interval {:.1f}-{:.1f}", 1e6 * seconds->low, 1e6 * seconds->high);
}

/// `6119.1 us, 90 % interval 5990.1-6250.2 (measured: h100-cluster01)`
std::string measured_text(const CollectiveAnswer& answer) {
  const MeasuredAnswer& measured = *answer.measured;
  std::string how;
  if (measured.of)
    how = fmt::format(", carried over by formula from its {}",
                      name_in(collective_kinds, *measured.of));
  else if (measured.carried_from)
    how = fmt::format(", carried over by formula from {} ranks", *measured.carried_from);
  return fmt::format("{:.1f} us{}{} ({}: {})", measured.cost.time.base() * 1e6, how,
                     interval_text(answer), to_text(measured.cost.basis), answer.asked.calibration);
}

/// `2517.2 us, 90 % interval 2010.9-3150.8 (formula, learnt from 5 tables of gb200-nvl72)`
std::string learnt_text(const CollectiveAnswer& answer) {
  const LearntTime& learnt = *answer.learnt;
  return fmt::format("{:.1f} us{} ({}, learnt from {} table{} of {})", learnt.time.base() * 1e6,
                     interval_text(answer), to_text(answer.asked.communicator.basis), learnt.tables,
                     learnt.tables == 1 ? "" : "s", learnt.machine);
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

/// `498.2 us by tree (formula)`; with its interval where it is the answer.
std::string formula_text(const CollectiveAnswer& answer, const std::string& interval = {}) {
  const TimedAlgorithm& chosen = answer.chosen();
  return fmt::format("{:.1f} us by {}{} ({}{})", chosen.time.base() * 1e6, chosen.algorithm->name,
                     interval, to_text(answer.asked.communicator.basis),
                     extrapolation_text(answer));
}

/// The time that holds: measured where a calibration has it, else by what the machine's tables
/// teach, and then by the figures of its file for comparison.
std::string time_text(const CollectiveAnswer& answer) {
  const CollectiveRequest& asked = answer.asked;
  if (answer.measured)
    return fmt::format("{}\nby formula: {}\n", measured_text(answer), formula_text(answer));
  const std::string text = answer.is_by_tables()
                               ? fmt::format("{}\nby the figures of its file: {}\n",
                                             learnt_text(answer), formula_text(answer))
                               : formula_text(answer, interval_text(answer)) + '\n';
  if (asked.calibration.empty()) return text;
  return fmt::format("{}calibration {} holds no table for {} over {} ranks{}\n", text,
                     asked.calibration, kind_text(asked), asked.communicator.ranks,
                     answer.is_by_tables() ? "" : ": formulas alone");
}

std::string own_table(const CollectiveAnswer& answer) {
  TextTable table(
      {{"algorithm", Align::Left}, {"protocol", Align::Left}, {"us"}, {"bus GB/s"}, {"forced"}});
  for (const TimedAlgorithm& each : answer.own)
    table.add({std::string(each.algorithm->name), protocol_of(each),
               fmt::format("{:.1f}", each.time.base() * 1e6),
               fmt::format("{:.2f}", bus_bandwidth_gb_s(each, answer.asked)),
               !each.is_chosen  ? fmt::format("{:.2f} x", each.over)
               : each.over == 1 ? "chosen"
                                : fmt::format("chosen, {:.2f} x", each.over)});
  return table.render();
}

std::string others_table(const CollectiveAnswer& answer) {
  TextTable table({{"algorithm", Align::Left},
                   {"protocol", Align::Left},
                   {"library", Align::Left},
                   {"us"},
                   {"bus GB/s"},
                   {"factor"}});
  for (const TimedAlgorithm& each : answer.others)
    table.add({std::string(each.algorithm->name), protocol_of(each), library_of(each),
               fmt::format("{:.1f}", each.time.base() * 1e6),
               fmt::format("{:.2f}", bus_bandwidth_gb_s(each, answer.asked)),
               fmt::format("{:.2f} x", each.over)});
  return table.render();
}

}  // namespace

std::string collective_text(const CollectiveAnswer& answer) {
  const Communicator& c = answer.asked.communicator;
  std::string text = fmt::format(
      "{} of {} over {} ranks in {} scale-up domain{}: {}{}by size: {}\n", kind_text(answer.asked),
      to_text(answer.asked.size), c.ranks, c.domains, c.domains == 1 ? "" : "s", time_text(answer),
      own_table(answer), crossovers(answer.by_size));
  if (!answer.others.empty())
    text += fmt::format("\nwhat another library could do, by hops and bytes alone\n{}",
                        others_table(answer));
  return text;
}

}  // namespace report
}  // namespace tofn
