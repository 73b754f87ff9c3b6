#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/basis.hpp"
#include "sim/expense/energy.hpp"
#include "sim/expense/interruptions.hpp"

namespace tofn {
inline namespace expense {

/// Mean time to failure of one accelerator. 16,384 H100 had an unexpected interruption every 3.09
/// h: 419 in 54 days of Llama 3 405B (arXiv 2407.21783, as cited by datacenterdynamics.com). For
/// A100 it is 29,500 to 82,100 h (Meta).
inline constexpr Seconds default_time_to_failure = Seconds(50'700 * 3600.0);
/// Mean time to preemption of a spot node, about a week: assumed, it depends on place and day.
inline constexpr Seconds default_time_to_preemption = Seconds(168 * 3600.0);
/// Time for which a checkpoint stops the steps: the geometric mean of 0.6 s (ByteCheckpoint, arXiv
/// 2407.20143), 6.3 s (PyTorch's asynchronous ones), 40 s (BLOOM) and 5 min (Meta's RSC, arXiv
/// 2410.21680).
inline constexpr Seconds default_checkpoint = Seconds(15);
/// Time to find the fault, replace the node and read the checkpoint: assumed.
inline constexpr Seconds default_restart = Seconds(15 * 60.0);

/// Grams of CO2 equivalents per kWh: the world's mean of 2023 (Ember, Global Electricity Review
/// 2024).
inline constexpr double default_grid_intensity = 480;

/// Options of energy and cost; an absent one takes the cluster's value or the default.
struct ExpenseOptions {
  std::optional<PriceTerm> term{};
  std::optional<double> price{};  ///< US dollars per accelerator-hour; overrides files
  std::optional<double> facility_factor{};
  std::optional<Seconds> time_to_failure{};     ///< mean, of one accelerator
  std::optional<Seconds> time_to_preemption{};  ///< mean, of one spot node
  std::optional<Seconds> restart{};             ///< until the job computes again
  std::optional<Seconds> checkpoint{};          ///< time to write one
  std::optional<Seconds> checkpoint_every{};
  CheckpointStorage storage{};  ///< from which the time to write one follows
  /// Times of the job's checkpoint on that storage; absent as long as its bytes are unknown.
  std::optional<CheckpointTimes> checkpoint_times{};
};

/// A price and its source.
struct ChosenPrice {
  double usd_per_hour = 0;  ///< of one accelerator
  PriceTerm term = PriceTerm::OnDemand;
  std::string source;
  bool is_typical = false;  ///< taken from the accelerator, because the cluster has no price
};

/// Returns the requested price, otherwise the cluster's, otherwise its accelerator's default;
/// absent if no term was requested and no price is known. InputError if the requested term has no
/// price.
std::optional<ChosenPrice> choose_price(const Cluster&, const ExpenseOptions&);

/// Says why no price is known and what to do: `no on_demand price is known, only reserved_1y: ...`.
std::string unpriced_words(const Cluster&, const ExpenseOptions&);

/// Energy and cost of a run with its expected interruptions.
struct Expense {
  Interruptions interruptions;
  std::optional<CheckpointTimes> checkpoint{};  ///< absent if its storage is not stated
  InterruptedRun run;                           ///< the run that is paid for
  double utilisation = 0;  ///< of the accelerators' dynamic power, over the interrupted run
  MachinePower power;
  double accelerator_hours = 0;  ///< of the interrupted run, with idle ones of its nodes
  Energy energy;                 ///< of the interrupted run, with idle ones of its nodes
  std::optional<ChosenPrice> price;
  std::optional<double> usd;
  Basis cost_basis = Basis::Assumed;
  std::vector<std::string> assumed;
};

/// Energy and cost of a run. Repeated work and checkpoints draw as much power as the run; during a
/// restart nothing runs. `time_basis`: basis of the activity. InputError if interruptions are so
/// frequent that the run does not end, or checkpoints so frequent that none is written in time.
Expense expense_of(const Cluster&, PlacedJob, const Activity&, Basis time_basis,
                   const ExpenseOptions&);

/// Parses g CO2e per kWh. InputError unless it is a number without a unit, above 0, that power
/// stations can emit.
double grid_intensity_of(const std::string& text);

}  // namespace expense
}  // namespace tofn
