#include "sim/expense/expense.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/common_draws.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/random.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace expense {
namespace {

constexpr double hour = 3600;

std::vector<std::string_view> known_terms(const Prices& prices) {
  std::vector<std::string_view> names;
  for (const auto& [name, term] : price_terms)
    if (prices[static_cast<std::size_t>(term)]) names.push_back(name);
  return names;
}

/// Adds what storage does beside the steps. While a checkpoint is written asynchronously, the one
/// before it is the last that a restart can read.
void add_storage(Interruptions& by, const ExpenseOptions& options) {
  const CheckpointTimes& times = *options.checkpoint_times;
  by.recovery = times.read;
  if (options.storage.mode != CheckpointMode::Async) return;
  by.recovery += times.write;
  by.least_interval = times.write;
  if (options.checkpoint_every && *options.checkpoint_every < times.write)
    throw InputError({}, "--checkpoint-every",
                     fmt::format("must be at least {}, in which a checkpoint is written",
                                 to_text(times.write, 3)));
}

Interruptions interruptions_of(const Cluster& cluster, PlacedJob job, PriceTerm term,
                               const ExpenseOptions& options, std::vector<std::string>& assumed) {
  const int nodes = cluster.nodes_of(job);
  const Seconds failure = options.time_to_failure.value_or(default_time_to_failure);
  auto per_second = job.accelerators / failure;
  if (term == PriceTerm::Spot) {
    const Seconds taken = options.time_to_preemption.value_or(default_time_to_preemption);
    per_second += nodes / taken;
    if (!options.time_to_preemption)
      assumed.push_back(fmt::format("a spot node is taken away every {}", to_text(taken)));
  }
  Interruptions by{.mean_between = 1 / per_second,
                   .checkpoint = options.checkpoint.value_or(default_checkpoint),
                   .restart = options.restart.value_or(default_restart)};
  if (options.checkpoint_times) add_storage(by, options);
  return by;
}

/// True if interruptions lengthen the run by more than a thousandth.
bool is_lengthened(const Expense& expense, Seconds run) {
  return expense.run.expected > 1.001 * run;
}

void note_assumed(Expense& expense, Seconds run, const ExpenseOptions& options) {
  const auto& power = expense.power.assumed;
  expense.assumed.insert(expense.assumed.begin(), power.begin(), power.end());
  if (!is_lengthened(expense, run)) return;
  if (!options.time_to_failure)  // observed on another accelerator
    expense.assumed.push_back(
        fmt::format("an accelerator fails every {:.0f} h", default_time_to_failure.base() / hour));
  if (!options.restart)
    expense.assumed.push_back(fmt::format("restart {}", to_text(default_restart)));
  if (!options.checkpoint && expense.run.checkpoint_every)
    expense.assumed.push_back(fmt::format("checkpoint {}", to_text(default_checkpoint)));
}

/// Activity of a run with restarts, in which nothing runs. An interruption may also end a restart:
/// one lasts mean_between x (1 - e^(-restart/mean_between)), and one begins every mean_between of
/// the run.
Activity interrupted_activity(const Activity& undisturbed, Seconds expected,
                              const Interruptions& by) {
  const double running = std::exp(-(by.down() / by.mean_between));
  Activity all = (running * expected / undisturbed.total()) * undisturbed;
  all.idle += (1 - running) * expected;
  return all;
}

}  // namespace

std::optional<ChosenPrice> choose_price(const Cluster& cluster, const ExpenseOptions& options) {
  const PriceTerm term = options.term.value_or(PriceTerm::OnDemand);
  if (options.price)
    return ChosenPrice{.usd_per_hour = *options.price, .term = term, .source = "stated"};
  const bool is_typical = known_terms(cluster.prices).empty();
  const Prices& prices = is_typical ? cluster.accelerator.prices : cluster.prices;
  if (const auto& price = prices[static_cast<std::size_t>(term)])
    return ChosenPrice{price->value, term, price->source, is_typical};
  if (!options.term) return {};
  const auto terms = known_terms(prices);
  throw InputError({}, "--price-term",
                   fmt::format("no {} price of {} is known{}; state one with --price",
                               name_in(price_terms, term), cluster.name,
                               terms.empty() ? std::string()
                                             : fmt::format(", only {}", fmt::join(terms, ", "))));
}

std::string unpriced_words(const Cluster& cluster, const ExpenseOptions& options) {
  const auto own = known_terms(cluster.prices);
  const auto terms = own.empty() ? known_terms(cluster.accelerator.prices) : own;
  if (terms.empty()) return "no price is known: state one with --price";
  const PriceTerm term = options.term.value_or(PriceTerm::OnDemand);
  return fmt::format("no {} price is known, only {}: state one with --price, or --price-term {}",
                     name_in(price_terms, term), fmt::join(terms, ", "), terms.front());
}

Expense expense_of(const Cluster& cluster, PlacedJob job, const Activity& activity,
                   Basis time_basis, const ExpenseOptions& options) {
  const Seconds time = activity.total();
  Expense expense;
  expense.price = choose_price(cluster, options);
  const PriceTerm term = options.term.value_or(PriceTerm::OnDemand);
  expense.interruptions = interruptions_of(cluster, job, term, options, expense.assumed);
  expense.checkpoint = options.checkpoint_times;
  expense.run = interrupted(time, expense.interruptions, options.checkpoint_every);
  if (!(expense.run.expected < endless * time))
    throw InputError(fmt::format(
        "interrupted every {} and down for {} each time, the run does not end "
        "(--failure-every, --restart, --checkpoint-every)",
        to_text(expense.interruptions.mean_between), to_text(expense.interruptions.down())));
  const Activity all = interrupted_activity(activity, expense.run.expected, expense.interruptions);
  expense.utilisation = utilisation(all);
  expense.power = machine_power(cluster, job, options.facility_factor);
  expense.accelerator_hours =
      (job.accelerators + cluster.idle_beside(job)) * (expense.run.expected.base() / hour);
  expense.energy = energy_of(expense.power, all);
  note_assumed(expense, time, options);
  expense.cost_basis = is_lengthened(expense, time) ? Basis::Assumed : time_basis;
  if (!expense.price) return expense;
  if (expense.price->source.empty() || expense.price->source == "assumed")
    expense.cost_basis = Basis::Assumed;
  expense.usd = expense.accelerator_hours * expense.price->usd_per_hour;
  return expense;
}

double grid_intensity_of(const std::string& text) {
  constexpr double most = 10'000;  // five times the emissions of the dirtiest power stations
  double grams = 0;
  if (parse_number(text, grams) && grams > 0 && grams <= most) return grams;
  throw InputError(fmt::format(
      "expected g CO2e of a kWh, a number above 0 and at most {:g} such as 480, without a unit, "
      "got '{}'",
      most, shortened(text)));
}

Interruptions drawn_interruptions(Interruptions by, const ExpenseOptions& stated,
                                  const InterruptionDeviations& deviations) {
  for (std::size_t i = 0; i < interruption_uncertainties.size(); ++i) {
    const InterruptionUncertainty& uncertainty = interruption_uncertainties[i];
    if (!(stated.*uncertainty.stated))
      by.*uncertainty.figure *= Distribution{uncertainty.deviation}.draw(1, deviations[i]);
  }
  return by;
}

Goodput default_goodput(int accelerators, Seconds training) {
  const Interruptions typical{.mean_between = default_time_to_failure / accelerators,
                              .checkpoint = default_checkpoint,
                              .restart = default_restart};
  CommonDraws draws(DrawStream::Site, default_seed);
  std::vector<double> drawn(sample_count);
  for (double& each : drawn) {
    draws.next();
    InterruptionDeviations deviations;
    for (double& deviation : deviations) deviation = draws.normal();
    each = training / interrupted(training, drawn_interruptions(typical, {}, deviations)).expected;
  }
  const double expected = training / interrupted(training, typical).expected;
  const Interval range = sampled_interval(drawn, expected);
  return {.expected = expected, .low = range.low, .high = range.high};
}

}  // namespace expense
}  // namespace tofn
