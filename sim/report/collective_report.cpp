#include "sim/report/collective_report.hpp"

#include <fmt/format.h>

#include "sim/core/bus_factor.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

namespace {

std::string library_of(const TimedAlgorithm& each) {
  return std::string(name_in(library_names, each.algorithm->library));
}

std::string protocol_of(const TimedAlgorithm& each) {
  const auto& protocol = each.algorithm->protocol;
  return protocol ? std::string(name_in(protocol_names, *protocol)) : "";
}

double bus_bandwidth_gb_s(const TimedAlgorithm& each, const CollectiveRequest& request) {
  const std::string kind(name_in(collective_kinds, request.kind));
  return (request.size / each.time).base() / 1e9 *
         bus_factor(kind, request.communicator.ranks).value_or(1);
}

/// A row of the answer. The calibration's time, for the library's own choice, precedes the
/// formulas' times.
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

/// Row for a time of the library's own choice that no algorithm's formula gave.
CollectiveRow leading_row(const CollectiveAnswer& answer, std::string_view by, Cost cost) {
  return {.algorithm = by,
          .protocol = {},
          .library = library_of(answer.own.front()),
          .timed = {.time = cost.time, .over = cost.time / answer.own.front().time},
          .basis = cost.basis,
          .seconds = answer.seconds()};
}

std::vector<CollectiveRow> rows_of(const CollectiveAnswer& answer) {
  const Basis basis = answer.request.communicator.basis;
  std::vector<CollectiveRow> rows;
  if (answer.measured)
    rows.push_back(leading_row(answer, "calibration", answer.measured->cost));
  else if (answer.is_by_tables())
    rows.push_back(leading_row(answer, "learnt", {answer.learned->time, basis}));
  const bool leads_by_formula = rows.empty();
  for (const auto* algorithms : {&answer.own, &answer.others})
    for (const TimedAlgorithm& each : *algorithms) {
      rows.push_back(row_of(each, basis));
      if (leads_by_formula && each.is_chosen) rows.back().seconds = answer.seconds();
    }
  return rows;
}

/// Cell with `chosen` for the library's choice, and the time over that of the fastest unless it is
/// 1.
std::string forced_cell(const CollectiveRow& row) {
  if (!row.timed.is_chosen) return fmt::format("{:.2f} x", row.timed.over);
  return row.timed.over == 1 ? "chosen" : fmt::format("chosen, {:.2f} x", row.timed.over);
}

TableColumns<CollectiveRow> algorithm_columns(const CollectiveAnswer& answer) {
  using Row = CollectiveRow;
  using Microseconds = std::optional<double>;
  const CollectiveRequest& request = answer.request;
  const auto end = [](double Interval::*which) {
    return [which](const Row& r) {
      return r.seconds ? Microseconds((*r.seconds).*which * 1e6) : Microseconds();
    };
  };
  return {{"algorithm", &Row::algorithm, left("algorithm"),
           "algorithm of the collective, by its name in the catalogue; calibration: by the curves"},
          {"protocol", &Row::protocol, left("protocol"), "protocol of NCCL: LL, LL128 or Simple"},
          {"library", &Row::library, left("library"), "library that has the algorithm"},
          {"time_us", [](const Row& r) { return r.timed.time.base() * 1e6; }, right("us", "{:.1f}"),
           "time of one call, in microseconds"},
          {"low_us", end(&Interval::low)},
          {"high_us", end(&Interval::high)},
          {"bus_bandwidth_gb_s", [&](const Row& r) { return bus_bandwidth_gb_s(r.timed, request); },
           right("bus GB/s", "{:.2f}")},
          {"over_fastest", [](const Row& r) { return r.timed.over; }, right("factor", "{:.2f} x"),
           "time over that of the algorithm that is chosen"},
          {"is_chosen", [](const Row& r) { return r.timed.is_chosen; },
           right("forced", forced_cell), "1 for the algorithm that the library chooses"},
          {"basis", &Row::basis},
          {"calibration", [&](const Row&) { return known(request.calibration); },
           "file of curves that was asked for"},
          {"calibrated_us",
           [&](const Row&) {
             return answer.measured ? Microseconds(answer.measured->cost.time.base() * 1e6)
                                    : Microseconds();
           },
           "time by the curves, in microseconds"}};
}

std::string algorithms_table(const CollectiveAnswer& answer,
                             const std::vector<TimedAlgorithm>& algorithms,
                             std::initializer_list<std::string_view> without) {
  std::vector<CollectiveRow> rows;
  for (const TimedAlgorithm& each : algorithms) rows.push_back(row_of(each, Basis::Formula));
  return table_text(algorithm_columns(answer), rows, without);
}

}  // namespace

ExplainedRecords collective_records(const CollectiveAnswer& answer) {
  return records_of(algorithm_columns(answer), rows_of(answer));
}

namespace {

std::string kind_text(const CollectiveRequest& request) {
  return std::string(name_in(collective_kinds, request.kind));
}

std::string name_text(const Algorithm& algorithm) {
  if (!algorithm.protocol) return std::string(algorithm.name);
  return fmt::format("{} {}", algorithm.name, name_in(protocol_names, *algorithm.protocol));
}

/// Text such as `ring LL below 1.2 MB, then in-switch Simple`.
std::string crossovers(const std::vector<ChosenUpTo>& by_size) {
  std::string text;
  for (const ChosenUpTo& each : by_size) {
    text += name_text(*each.algorithm);
    if (each.end) text += fmt::format(" below {}, then ", to_text(*each.end));
  }
  return text;
}

/// Text such as `449 us`; from a thousand on in ms or s.
std::string short_time(Seconds time) {
  const double us = time.base() * 1e6;
  return us < 999.5 ? short_figure(us) + " us" : time_words(time);
}

std::string short_range(const Interval& seconds, Seconds of) {
  if (of.base() * 1e6 >= 999.5) return time_range_words(seconds, of);
  return fmt::format("{} to {} us", short_figure(1e6 * seconds.low),
                     short_figure(1e6 * seconds.high));
}

/// Words such as `measured: h100-cluster01`.
std::string measured_words(const CollectiveAnswer& answer) {
  const MeasuredAnswer& measured = *answer.measured;
  std::string how;
  if (measured.of)
    how = fmt::format(", carried over by formula from its {}",
                      name_in(collective_kinds, *measured.of));
  else if (measured.carried_from)
    how = fmt::format(", carried over by formula from {} ranks", *measured.carried_from);
  if (const std::string& machine = answer.request.measured_on; !machine.empty())
    how += " of " + machine;
  return fmt::format("{}: {}{}", to_text(measured.cost.basis), answer.request.calibration, how);
}

/// Words such as `formula, fitted to 5 tables of gb200-nvl72`.
std::string fitted_words(const CollectiveAnswer& answer) {
  const LearnedTime& fit = *answer.learned;
  return fmt::format("{}, fitted to {} of {}", to_text(answer.request.communicator.basis),
                     counted(fit.tables, "table"), fit.machine);
}

/// Words such as `, 12.8 x more nodes than the formulas were fitted to`; empty up to four times as
/// many.
std::string extrapolation_text(const CollectiveAnswer& answer) {
  std::string text;
  if (answer.beyond_nodes > far_beyond)
    text += fmt::format(", on {} times as many nodes as the formulas were fitted to",
                        short_figure(answer.beyond_nodes));
  if (answer.beyond_sizes > far_beyond)
    text += fmt::format(", {:.3g} x larger than the formulas were fitted to", answer.beyond_sizes);
  return text;
}

/// Words such as `498 us by tree Simple`.
std::string formula_words(const CollectiveAnswer& answer) {
  const TimedAlgorithm& chosen = answer.chosen();
  return fmt::format("{} by {}{}", short_time(chosen.time), name_text(*chosen.algorithm),
                     extrapolation_text(answer));
}

/// Line on the basis of the time, and on the formulas' time if it was measured.
std::string basis_text(const CollectiveAnswer& answer) {
  const CollectiveRequest& request = answer.request;
  if (answer.measured)
    return note("basis", measured_words(answer)) + note("by formula", formula_words(answer));
  const std::string text =
      answer.is_by_tables()
          ? note("basis", fitted_words(answer)) + note("by datasheet", formula_words(answer))
          : note("basis",
                 fmt::format("{}: {}", to_text(request.communicator.basis), formula_words(answer)));
  if (request.calibration.empty()) return text;
  return text + note("calibration",
                     fmt::format("{} holds no table for {} over {} ranks{}", request.calibration,
                                 kind_text(request), request.communicator.ranks,
                                 answer.is_by_tables() ? "" : ": formulas alone"));
}

}  // namespace

AnswerText collective_text(const CollectiveAnswer& answer) {
  const Communicator& c = answer.request.communicator;
  const Seconds time = answer.time();
  const auto seconds = answer.seconds();
  AnswerText text;
  text.screen =
      fmt::format("{} of {} over {} ranks in {}: {}{}, {} GB/s on the bus\n\n",
                  kind_text(answer.request), to_text(answer.request.size), c.ranks,
                  counted(c.domains, "scale-up domain"), short_time(time),
                  seconds ? fmt::format(" ({})", short_range(*seconds, time)) : "",
                  short_figure(bus_bandwidth_gb_s({.time = time}, answer.request))) +
      basis_text(answer) + '\n' + algorithms_table(answer, answer.own, {"library", "factor"}) +
      '\n' + note("by size", crossovers(answer.by_size)) +
      listed_note("next", {"--check LOG for measured times", "--details for other libraries"});
  if (!answer.others.empty())
    text.details = "other libraries, which are not chosen, by hops and bytes alone\n" +
                   algorithms_table(answer, answer.others, {"forced"});
  return text;
}

}  // namespace report
}  // namespace tofn
