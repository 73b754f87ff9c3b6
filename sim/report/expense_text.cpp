#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string power_text(const PredictionStudy& study, const RunPoint& point) {
  const MachinePower& power = point.estimate->expense.power;
  const int nodes = study.cluster->nodes_of(placed_job(point.estimate->plan, *study.cluster));
  std::string text = fmt::format(
      "{} {:.0f}-{:.0f} W, {:.0f} % of that range used at N = {}; {} a host",
      study.cluster->accelerator.name, power.accelerator_idle.base(), power.accelerator_busy.base(),
      100 * point.estimate->expense.utilisation, point.accelerators, to_text(power.hosts / nodes));
  if (power.switches > Watts{})
    text += fmt::format(", {} of switches a node", to_text(power.switches / nodes));
  text += fmt::format("; x {:g} for the facility", power.facility_factor);
  return note("power", text);
}

std::string interruption_text(const RunPoint& point) {
  const Expense& expense = point.estimate->expense;
  const Seconds run = activity_of(point.estimate->benchmark->prediction.expected).total();
  const Seconds lost = expense.run.expected - run;
  std::string text = fmt::format("interruptions one in {} on {} accelerators: ",
                                 to_text(expense.interruptions.mean_between), point.accelerators);
  const double percent = 100 * (lost / run);
  text += percent < 10 ? fmt::format("{:.2g} % longer", percent)
                       : fmt::format("{:.0f} % longer", percent);
  if (const auto every = expense.run.checkpoint_every)
    text += fmt::format(", a checkpoint every {}", to_text(*every));
  else
    text += ", no checkpoint";
  return text + "; in energy and cost\n";
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

std::string expense_notes(const PredictionStudy& study, const RunPoint& point) {
  std::string text = power_text(study, point);
  if (point.estimate->is_one_step) return text;
  return text + price_text(point.estimate->expense, *study.cluster, {}) + interruption_text(point);
}

}  // namespace report
}  // namespace tofn
