#include <algorithm>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"

// Inputs of the energy and the cost of a run.

namespace tofn {
inline namespace report {
namespace {

std::string cluster_text(const Cluster& cluster) {
  std::string machine = fmt::format("{}: {} x {} a node", cluster.name,
                                    cluster.accelerators_per_node.value, cluster.accelerator.name);
  if (cluster.network)
    machine += fmt::format(", {} x {:g} Gb/s", cluster.network->nics_per_node.value,
                           cluster.network->nic_bandwidth.value.base() * 8e-9);
  std::string text = note("cluster", machine);
  if (cluster.measured)
    text += note("collectives", fmt::format("calibration {} where it was measured, else formulas",
                                            cluster.measured->name));
  return text;
}

std::string power_text(const Cluster& cluster, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const MachinePower& power = run.expense.power;
  const int nodes = cluster.nodes_of(placed_job(run.plan, cluster));
  std::string text = fmt::format(
      "{} {:.0f}-{:.0f} W, {:.0f} % of that range used at N = {}; {} a host",
      cluster.accelerator.name, power.accelerator_idle.base(), power.accelerator_busy.base(),
      100 * run.expense.utilisation, point.accelerators, to_text(power.hosts / nodes));
  if (power.switches > Watts{})
    text += fmt::format(", {} of switches a node", to_text(power.switches / nodes));
  text += fmt::format("; x {:g} for the facility", power.facility_factor);
  return note("power", text);
}

std::string interruption_text(const RunPoint& point) {
  const RunFigures& f = point.estimate->expected;
  const Expense& expense = point.estimate->expense;
  const double percent = 100 * f.lost_seconds / (f.seconds - f.lost_seconds);
  std::string text = fmt::format("one in {} on {}: ", to_text(expense.interruptions.mean_between),
                                 counted(point.accelerators, "accelerator"));
  text += percent < 10 ? fmt::format("{:.2g} % longer", percent)
                       : fmt::format("{:.0f} % longer", percent);
  if (const auto every = expense.run.checkpoint_every)
    text += fmt::format(", a checkpoint every {}", to_text(*every));
  else
    text += ", no checkpoint";
  return note("interruptions", text + "; in energy and cost");
}

/// Line on a checkpoint's bytes and times; empty if its storage is not stated.
std::string checkpoint_text(const Expense& expense) {
  if (!expense.checkpoint) return {};
  const CheckpointTimes& times = *expense.checkpoint;
  std::string text = fmt::format("{}, {} a rank: steps wait {}, written and read in {} ({})",
                                 to_text(times.bytes, 3), to_text(times.of_rank, 3),
                                 to_text(expense.interruptions.checkpoint, 2),
                                 to_text(times.write, 3), to_text(times.bandwidth, 3));
  if (const auto every = expense.run.checkpoint_every)
    text += fmt::format(", every {}", to_text(*every, 2));
  return note("checkpoint", text);
}

}  // namespace

std::string price_words(const ChosenPrice& price) {
  std::string term(name_in(price_terms, price.term));
  std::replace(term.begin(), term.end(), '_', '-');
  return term;
}

std::string price_text(const Expense& expense, const Cluster& cluster,
                       const ExpenseOptions& request) {
  const auto& price = expense.price;
  if (!price)
    return note("price", fmt::format("{}: {}", cluster.name, unpriced_words(cluster, request)));
  return note(
      "price",
      fmt::format("{:g} USD an accelerator-hour, {}; {}{}", price->usd_per_hour,
                  price_words(*price),
                  price->is_typical ? fmt::format("that of {}: ", cluster.accelerator.name) : "",
                  price->source));
}

std::string assumed_of_run_text(std::vector<std::string> assumed, Seconds start_up,
                                double grid_intensity) {
  if (start_up == default_start_up)
    assumed.push_back(fmt::format("start-up {} (--start-up)", to_text(start_up)));
  if (grid_intensity == default_grid_intensity)
    assumed.push_back(fmt::format("{:g} g CO2e/kWh (the world's mean, --grid)", grid_intensity));
  return listed_note("assumed", assumed);
}

std::string expense_text(const RunRequest& request, const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  const Cluster& cluster = request.cluster();
  std::string text = cluster_text(cluster) + power_text(cluster, point);
  if (!run.is_one_step)
    text += price_text(run.expense, cluster, request.expenses) + interruption_text(point) +
            checkpoint_text(run.expense);
  return text + assumed_of_run_text(point.assumed, Seconds{run.run->start_up.value},
                                    request.grid_intensity);
}

std::string assumed_text(const RunRequest& request, const RunPoint& point) {
  const Cluster& cluster = request.cluster();
  std::string text = substitutions_text(point.substitutions);
  if (point.estimate->is_one_step) return text;
  const Expense& expense = point.estimate->expense;
  if (expense.price && !request.expenses.price)
    text += note(text.empty() ? "assumed" : "",
                 fmt::format("{} price of {} (--price, --prices)", price_words(*expense.price),
                             expense.price->is_typical ? cluster.accelerator.name : cluster.name));
  text += note(text.empty() ? "assumed" : "",
               fmt::format("{} figures of less effect (--details)", point.assumed.size() + 1));
  if (!expense.price) text += price_text(expense, cluster, request.expenses);
  return text;
}

}  // namespace report
}  // namespace tofn
