#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/expense/expense.hpp"
#include "sim/sweep/axis.hpp"
#include "sim/training/amount.hpp"
#include "sim/training/run_estimate.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace sweep {

/// Energy, money and failures of a whole run, as a point states them.
struct RunCosts {
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
};

// Each function sets one option from its text. InputError if the option does not take the value.

void tell_price(RunCosts&, const std::string&);       ///< `2.5`, `$2.5` or `2.5 USD/h`
void tell_price_term(RunCosts&, const std::string&);  ///< `spot`
void tell_grid(RunCosts&, const std::string&);        ///< `480`

/// Reads a time such as `15 min`.
Seconds positive_time(const std::string&);
template <std::optional<Seconds> ExpenseOptions::*time>
void tell_time(RunCosts& costs, const std::string& text) {
  costs.expenses.*time = positive_time(text);
}

/// Request of a point, as text: names of things, or numbers. A workload is predicted as in `tofn
/// predict`, calibrated by observed runs; a model is simulated from its dimensions.
struct Request {
  std::optional<std::string> workload, model, cluster, plan, stack, calibration;
  std::optional<std::string> accelerators, replicas, batch, replica_batch;
  /// Accelerators of the run with which speedup and efficiency compare a point.
  std::optional<std::string> reference;
  std::optional<std::string> trains;  ///< of a model: `2T tokens`
  std::optional<std::string> price, price_term, failure_every, restart, checkpoint_cost,
      checkpoint_every, grid;                  ///< of a whole run
  std::optional<std::string> sequence_length;  ///< of a model: tokens of a sample
  std::vector<Axis> plan_words;                ///< `tp: 8`, one value each
  Location location{};                         ///< of the base
};

/// Kinds of key. A thing is a file of configs, which has fields: `cluster.network.latency`.
enum class RequestKind { Thing, Name, Count, Amount, Cost };

/// One key of a request. A path without a dot is a key, and one with a dot begins with a thing.
struct RequestKey {
  std::string_view name;
  std::optional<std::string> Request::*text;
  RequestKind kind = RequestKind::Count;
  std::string_view unit{};  ///< unit of an amount without one: `tokens: 2T`
  /// Sets a cost from its text. InputError if the text is not a value of that cost.
  void (*tell)(RunCosts&, const std::string&) = nullptr;
};
constexpr RequestKey cost_key(std::string_view name, std::optional<std::string> Request::*text,
                              void (*tell)(RunCosts&, const std::string&)) {
  return {name, text, RequestKind::Cost, {}, tell};
}
inline constexpr std::array request_keys{
    RequestKey{"workload", &Request::workload, RequestKind::Thing},
    RequestKey{"model", &Request::model, RequestKind::Thing},
    RequestKey{"cluster", &Request::cluster, RequestKind::Thing},
    RequestKey{"plan", &Request::plan, RequestKind::Thing},
    RequestKey{"stack", &Request::stack, RequestKind::Thing},
    RequestKey{"calibration", &Request::calibration, RequestKind::Name},
    RequestKey{"accelerators", &Request::accelerators},
    RequestKey{"dp", &Request::replicas},
    RequestKey{"batch", &Request::batch},
    RequestKey{"replica_batch", &Request::replica_batch},
    RequestKey{"reference", &Request::reference},
    RequestKey{"tokens", &Request::trains, RequestKind::Amount, " tokens"},
    RequestKey{"samples", &Request::trains, RequestKind::Amount, " samples"},
    RequestKey{"trains", &Request::trains, RequestKind::Amount},
    cost_key("price", &Request::price, tell_price),
    cost_key("price_term", &Request::price_term, tell_price_term),
    cost_key("failure_every", &Request::failure_every, tell_time<&ExpenseOptions::time_to_failure>),
    cost_key("restart", &Request::restart, tell_time<&ExpenseOptions::restart>),
    cost_key("checkpoint_cost", &Request::checkpoint_cost, tell_time<&ExpenseOptions::checkpoint>),
    cost_key("checkpoint_every", &Request::checkpoint_every,
             tell_time<&ExpenseOptions::checkpoint_every>),
    cost_key("grid", &Request::grid, tell_grid)};

/// Reads a map of these keys and of words of the plan (`plan_keys`).
Request read_request(const YamlNode&);

/// Reads a number of 1 to a billion. InputError otherwise.
int whole_number(const std::string& text);
/// Reads an amount. InputError otherwise.
Amount amount_in(const RequestKey&, const std::string& text);

/// Text of a sweep file and its location.
struct SweepText {
  std::string text;
  Location location{};
};

/// `least minutes` or `most samples_per_s`.
struct Goal {
  std::string column;
  bool is_least = true;
  Location location{};
};

/// Selection among all points: the first ones by one goal, or those that no other beats in all
/// goals.
struct Selection {
  std::vector<Goal> goals;       ///< one if `top` is given
  std::optional<int> top;        ///< absent: the Pareto front
  std::vector<SweepText> apart;  ///< columns: one selection for each of their values
};

/// Choice of one point for a row, among the points that differ only in some axes.
struct Best {
  std::vector<SweepText> of;  ///< names of axes
  Goal by;
};

/// A what-if study: one base, and axes along which it is varied.
struct Sweep {
  std::filesystem::path file;
  std::string name;
  std::string title;
  Request base;
  std::vector<AxisGroup> groups;  ///< crossed; the last one varies fastest
  std::optional<Best> best;
  std::size_t inner_groups = 0;  ///< the last groups, from which `best` takes one point
  std::vector<SweepText> constraints;
  std::vector<SweepText> columns;  ///< beside the axes; empty: the default columns
  std::optional<Selection> select;
  Overrun overrun = no_overrun;  ///< for samples of whole runs of models

  std::vector<const Axis*> axes() const;
  /// Number of points of the whole grid; `points_of_a_row` is the number of consecutive points from
  /// which `best` takes one (1 without it).
  std::uint64_t points() const;
  std::uint64_t points_of_a_row() const;
  /// True if the base states it or an axis varies it.
  bool asks_for(std::optional<std::string> Request::*) const;
};

/// Reads a sweep. InputError with file, line and column for a mistake. Paths, columns and
/// constraints are checked where they are used (`PointMaker`).
Sweep load_sweep(const std::filesystem::path&);

/// Position of a point: the index of the value on each group of axes.
using Positions = std::vector<std::size_t>;

/// Finds the positions of a point, 0 to `points() - 1`; the last group varies fastest.
void find_positions(const Sweep&, std::uint64_t point, Positions&);

/// An axis of a sweep, and the group that it moves with.
struct PlacedAxis {
  const Axis* axis = nullptr;
  std::size_t group = 0;

  const std::string& value(const Positions& positions) const {
    return axis->values[positions[group]];
  }
};
std::vector<PlacedAxis> placed_axes(const Sweep&);

}  // namespace sweep
}  // namespace tofn
