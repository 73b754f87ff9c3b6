#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "sim/sweep/axis.hpp"
#include "sim/sweep/run_costs.hpp"
#include "sim/training/amount.hpp"
#include "sim/training/job_draws.hpp"

namespace tofn {
inline namespace sweep {

/// What a point asks for, as text: names of things, or numbers. A workload is predicted as `tofn
/// predict` does, calibrated by observed runs; a model is simulated from its dimensions.
struct Request {
  std::optional<std::string> workload, model, cluster, plan, stack, calibration;
  std::optional<std::string> accelerators, replicas, batch, replica_batch;
  /// Accelerators that speedup and efficiency of a point compare it with.
  std::optional<std::string> reference;
  std::optional<std::string> trains;  ///< of a model: `2T tokens`
  std::optional<std::string> price, price_term, failure_every, restart, checkpoint_cost,
      checkpoint_every, grid;                  ///< of a whole run
  std::optional<std::string> sequence_length;  ///< of a model: tokens of a sample
  std::vector<Axis> plan_words;                ///< `tp: 8`, of one value each
  Location location{};                         ///< of the base
};

/// A thing is a file of configs, which has fields: `cluster.network.latency`.
enum class RequestKind { Thing, Name, Count, Amount, Cost };

/// One key of a request: paths without a dot are these, and those with one begin with a thing.
struct RequestKey {
  std::string_view name;
  std::optional<std::string> Request::*text;
  RequestKind kind = RequestKind::Count;
  std::string_view unit{};  ///< of an amount that states none: `tokens: 2T`
  /// Of a cost: what the text says, InputError where it is none.
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

/// What its numbers are: 1 to a billion; InputError otherwise.
int whole_number(const std::string& text);
/// What its amounts are; InputError otherwise.
Amount amount_in(const RequestKey&, const std::string& text);

/// Text of a sweep file and where it stands.
struct Stated {
  std::string text;
  Location location{};
};

/// `least minutes` or `most samples_per_s`.
struct Goal {
  std::string column;
  bool is_least = true;
  Location location{};
};

/// Which points are kept of all: the first by one goal, or those that no other beats in all goals.
struct Selection {
  std::vector<Goal> goals;    ///< one where `top` is given
  std::optional<int> top;     ///< absent: the Pareto front
  std::vector<Stated> apart;  ///< columns: one selection for each of their values
};

/// Which point stands for all those that differ in some axes alone: one row each.
struct Best {
  std::vector<Stated> of;  ///< names of axes
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
  std::size_t inner_groups = 0;  ///< the last ones, of which `best` takes one point
  std::vector<Stated> constraints;
  std::vector<Stated> columns;  ///< beside the axes; empty: the usual ones
  std::optional<Selection> select;
  Overrun overrun = no_overrun;  ///< that whole runs of models are drawn with

  std::vector<const Axis*> axes() const;
  /// Points of the whole grid, and consecutive ones of which `best` takes one (without it: 1).
  std::uint64_t points() const;
  std::uint64_t points_of_a_row() const;
  /// Whether the base states it, or an axis.
  bool asks_for(std::optional<std::string> Request::*) const;
};

/// Mistakes are InputErrors at file, line and column. What paths, columns and constraints mean is
/// checked where they are used (`PointMaker`).
Sweep load_sweep(const std::filesystem::path&);

/// Where a point lies: for each group of axes which of their values.
using Positions = std::vector<std::size_t>;

/// The positions of a point, 0 to `points() - 1`; the last group varies fastest.
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
