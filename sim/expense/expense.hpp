#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
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

/// A default figure of interruptions, with the standard deviation of its logarithm between sites. A
/// stated option has no such uncertainty.
struct InterruptionUncertainty {
  std::string_view name;
  Seconds typical;
  Seconds Interruptions::*figure;
  std::optional<Seconds> ExpenseOptions::*stated;
  double deviation;
};

/// Failures per accelerator-hour: 1.2e-5 and 3.4e-5 (Meta's RSC-2 and RSC-1, arXiv 2410.21680),
/// 1.4e-5 (GLM-130B), 1.6e-5 (BLOOM), 2.0e-5 (Llama 3), 8e-5 (OPT), from their logs and papers.
/// Restarts: 15 minutes if automatic (MegaScale, arXiv 2402.15627), up to 3 h of BLOOM by hand,
/// taken as the 95th percentile. Checkpoints stop the steps for 0.6 s (ByteCheckpoint, arXiv
/// 2407.20143) to 5 minutes (RSC), taken as the 5th and the 95th percentile.
inline constexpr std::array interruption_uncertainties{
    InterruptionUncertainty{"time to a failure", default_time_to_failure,
                            &Interruptions::mean_between, &ExpenseOptions::time_to_failure, 0.71},
    InterruptionUncertainty{"restart", default_restart, &Interruptions::restart,
                            &ExpenseOptions::restart, 1.5},
    InterruptionUncertainty{"checkpoint", default_checkpoint, &Interruptions::checkpoint,
                            &ExpenseOptions::checkpoint, 1.9}};

/// Deviations of one sample from the defaults, in standard deviations.
using InterruptionDeviations = std::array<double, interruption_uncertainties.size()>;
/// Samples the figures that are not stated.
Interruptions drawn_interruptions(Interruptions, const ExpenseOptions& stated,
                                  const InterruptionDeviations&);

/// Share of a run's time that trains with the default interruptions, restarts and checkpoints, and
/// its 90 % interval over sites that differ in them.
struct Goodput {
  double expected = 1;
  double low = 1;
  double high = 1;
};

/// `training`: time of a run's steps, above 0.
Goodput default_goodput(int accelerators, Seconds training);

}  // namespace expense
}  // namespace tofn
