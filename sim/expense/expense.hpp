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

/// One unexpected interruption of 16,384 H100 every 3.09 h: 419 in 54 days of Llama 3 405B (arXiv
/// 2407.21783, as cited by datacenterdynamics.com). Likewise A100: 29,500 to 82,100 h (Meta).
inline constexpr Seconds default_time_to_failure = Seconds(50'700 * 3600.0);
/// A spot node is taken away about once a week: assumed, it depends on place and day.
inline constexpr Seconds default_time_to_preemption = Seconds(168 * 3600.0);
/// For which a checkpoint holds steps up: the geometric mean of 0.6 s (ByteCheckpoint, arXiv
/// 2407.20143), 6.3 s (PyTorch's asynchronous ones), 40 s (BLOOM) and 5 min (Meta's RSC, arXiv
/// 2410.21680).
inline constexpr Seconds default_checkpoint = Seconds(15);
/// Finding the fault, replacing the node, reading the checkpoint: assumed.
inline constexpr Seconds default_restart = Seconds(15 * 60.0);

/// Grams of CO2 equivalents of a kWh: the world's mean of 2023 (Ember, Global Electricity Review
/// 2024).
inline constexpr double default_grid_intensity = 480;

/// What a user says of energy and money; what is absent is the cluster's or usual.
struct ExpenseOptions {
  std::optional<PriceTerm> term{};
  std::optional<double> price{};  ///< US dollars of an accelerator-hour, instead of a file's
  std::optional<double> facility_factor{};
  std::optional<Seconds> time_to_failure{};     ///< mean, of one accelerator
  std::optional<Seconds> time_to_preemption{};  ///< mean, of one spot node
  std::optional<Seconds> restart{};     ///< from an interruption until the job computes again
  std::optional<Seconds> checkpoint{};  ///< that writing one takes
  std::optional<Seconds> checkpoint_every{};
};

/// A price and whose it is.
struct ChosenPrice {
  double usd_per_hour = 0;  ///< of one accelerator
  PriceTerm term = PriceTerm::OnDemand;
  std::string source;
  bool is_usual = false;  ///< the accelerator's, for want of one of the cluster
};

/// The asked price, else the cluster's, else its accelerator's usual one; nothing where none is
/// known for a term that nobody asked for. InputError where there is none for the asked term.
std::optional<ChosenPrice> choose_price(const Cluster&, const ExpenseOptions&);

/// Why there is none, and what to do: `no on_demand price is known, only reserved_1y: ...`.
std::string unpriced_words(const Cluster&, const ExpenseOptions&);

/// What a run draws and costs, with the interruptions to expect.
struct Expense {
  Interruptions interruptions;
  InterruptedRun run;      ///< what is paid for
  double utilisation = 0;  ///< of the accelerators' dynamic power, over the interrupted run
  MachinePower power;
  double accelerator_hours = 0;  ///< of the interrupted run, idle ones of its nodes too
  Energy energy;                 ///< likewise
  std::optional<ChosenPrice> price;
  std::optional<double> usd;
  Basis energy_basis = Basis::Assumed;  ///< what activities draw is assumed
  Basis cost_basis = Basis::Assumed;
  std::vector<std::string> assumed;
};

/// Repeated work and checkpoints draw what the run draws; while it restarts, nothing runs.
/// `time_basis`: of the activity. InputError where interruptions come so often that the run does
/// not end.
Expense expense_of(const Cluster&, PlacedJob, const Activity&, Basis time_basis,
                   const ExpenseOptions&);

}  // namespace expense
}  // namespace tofn
