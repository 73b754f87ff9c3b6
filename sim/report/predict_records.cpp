#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace report {
namespace {

using Point = PredictedPoint;

double minutes_of(const Cost& cost) { return cost.time.base() / 60; }
double seconds(const Cost& cost) { return cost.time.base(); }

template <class Figure>
auto of_plan(Figure figure) {
  return of_its(&Point::run, &RunDescription::plan, figure);
}
template <class Figure>
auto of_prediction(Figure figure) {
  return of_its(&Point::prediction, figure);
}
template <class Figure>
auto of_step(Figure figure) {
  return of_its(&Point::prediction, &RunPrediction::expected, &RunBreakdown::step, figure);
}
template <class Figure>
auto if_trains(Figure figure) {
  return [figure](const Point& point) {
    return trains_to_target(point) ? to_value(std::invoke(figure, point)) : Value{};
  };
}
template <class Figure>
auto of_run(Figure figure) {
  return if_trains(of_prediction(of_its(&RunPrediction::expected, figure)));
}
template <class Figure>
auto of_expense(Figure figure) {
  return of_its(&Point::expense, figure);
}
template <class Figure>
auto of_price(Figure figure) {
  return if_trains(of_expense(of_its(&Expense::price, figure)));
}

/// `step_low90_ms` and `step_high90_ms`, of an interval in `unit`.
template <class OfInterval>
void add_interval(Columns<Point>& columns, const std::string& name, const std::string& unit_name,
                  double unit, OfInterval of_interval) {
  for (const auto& [end_name, end] :
       {std::pair{"_low90", &Interval::low}, std::pair{"_high90", &Interval::high}})
    columns.emplace_back(
        name + end_name + unit_name,
        of_interval([unit, end = end](const Interval& interval) { return interval.*end / unit; }));
}

/// Of a figure of the run.
void add_interval(Columns<Point>& columns, const std::string& name, const std::string& unit_name,
                  double unit, Interval RunPrediction::*interval) {
  add_interval(columns, name, unit_name, unit,
               [interval](auto end) { return if_trains(of_prediction(of_its(interval, end))); });
}

void add_point(Columns<Point>& columns, const PredictionStudy& study) {
  columns.insert(
      columns.end(),
      {{"workload", [&](const Point&) { return known(study.workload->name); }},
       {"cluster", [&](const Point&) { return known(study.cluster->name); }},
       {"accelerator", [&](const Point&) { return known(study.cluster->accelerator.name); }},
       {"accelerators", &Point::accelerators},
       {"global_batch", of_plan(&Plan::global_batch)},
       {"micro_batch", of_plan(&Plan::micro_batch)},
       {"tensor_parallel", of_plan(&Plan::tensor_parallel_size)},
       {"context_parallel", of_plan(&Plan::context_parallel_size)},
       {"data_parallel", of_plan(&Plan::data_parallel_size)},
       {"gradient_accumulation", of_plan(&Plan::gradient_accumulation)}});
}

/// Of a point with a prediction.
Basis weakest_basis(const Point& point) {
  const RunBreakdown& expected = point.prediction->expected;
  return trains_to_target(point) ? expected.total().basis : expected.step.cost().basis;
}

void add_total(Columns<Point>& columns, const ScalingPoint& reference) {
  columns.emplace_back("time_to_train_min",
                       if_trains([](const Point& p) { return scaling_point(p).minutes; }));
  add_interval(columns, "time_to_train", "_min", 60, &RunPrediction::total_seconds);
  const auto if_predicted = [](auto figure) {
    return [figure](const Point& p) { return p.prediction ? to_value(figure(p)) : Value{}; };
  };
  columns.insert(columns.end(), {{"basis", if_predicted(weakest_basis)},
                                 {"reference_accelerators", if_predicted([=](const Point&) {
                                    return reference.accelerators;
                                  })},
                                 {"speedup", if_predicted([=](const Point& p) {
                                    return speedup(scaling_point(p), reference);
                                  })},
                                 {"efficiency", if_predicted([=](const Point& p) {
                                    return relative_efficiency(scaling_point(p), reference);
                                  })}});
}

/// A time of the step and what it rests on, where it takes any.
template <class OfStep>
void add_step_cost(Columns<Point>& columns, const std::string& name, OfStep cost) {
  columns.emplace_back(name + "_ms",
                       of_step(of_its(cost, [](const Cost& c) { return seconds(c) * 1e3; })));
  columns.emplace_back(name + "_basis", of_step(of_its(cost, [](const Cost& c) {
                         return c.time != Seconds{} ? std::optional(c.basis) : std::nullopt;
                       })));
}

void add_step(Columns<Point>& columns) {
  add_step_cost(columns, "step", [](const StepTimes& s) { return s.cost(); });
  add_interval(columns, "step", "_ms", 1e-3,
               [](auto end) { return of_prediction(of_its(&RunPrediction::step_seconds, end)); });
  for (std::size_t i = 0; i < step_parts.size(); ++i) {
    const std::string name = "step_" + std::string(step_parts[i].first);
    const StepPart part = step_parts[i].second;
    add_step_cost(columns, name, [part](const StepTimes& s) { return s.cost(part); });
    add_interval(columns, name, "_ms", 1e-3, [i](auto end) {
      return of_prediction([=](const RunPrediction& p) { return end(p.step_part_seconds[i]); });
    });
  }
  add_step_cost(columns, "communication_exposed", &StepTimes::exposed);
  columns.emplace_back("communication_total_ms",
                       of_step([](const StepTimes& s) { return s.communication.base() * 1e3; }));
  columns.emplace_back("samples_per_s", [](const Point& p) {
    return p.prediction ? std::optional(throughput(p)) : std::nullopt;
  });
}

void add_run(Columns<Point>& columns) {
  using Run = RunBreakdown;
  columns.emplace_back("samples", of_run(&Run::samples));
  add_interval(columns, "samples", "", 1, &RunPrediction::samples);
  columns.insert(
      columns.end(),
      {{"samples_basis", if_trains([](const Point& p) { return p.parameters->samples.basis; })},
       {"steps", of_run(&Run::steps)},
       {"training_min", of_run(of_its(&Run::training, minutes_of))},
       {"training_basis", of_run(of_its(&Run::training, &Cost::basis))},
       {"evaluations", of_run(&Run::evaluations)},
       {"evaluation_each_s", of_run(of_its(&Run::evaluation_each, seconds))},
       {"evaluation_min", of_run(of_its(&Run::evaluation, minutes_of))}});
  add_interval(columns, "evaluation", "_min", 60, &RunPrediction::evaluation_seconds);
  columns.emplace_back("evaluation_basis", of_run(of_its(&Run::evaluation, &Cost::basis)));
  columns.emplace_back("fixed_s", of_run(of_its(&Run::fixed, seconds)));
  add_interval(columns, "fixed", "_s", 1, &RunPrediction::fixed_seconds);
  columns.emplace_back("fixed_basis", of_run(of_its(&Run::fixed, &Cost::basis)));
  columns.emplace_back("score_scaling_min", of_run(of_its(&Run::score_scaling, minutes_of)));
}

/// `figure` may be absent.
void add_ranged(Columns<Point>& columns, const std::string& name, const std::string& unit,
                std::optional<Ranged> (*figure)(const Point&)) {
  columns.emplace_back(name + unit, of_its(figure, &Ranged::value));
  add_interval(columns, name, unit, 1,
               [=](auto end) { return of_its(figure, &Ranged::interval, end); });
}

void add_energy(Columns<Point>& columns) {
  add_ranged(columns, "energy", "_kwh", [](const Point& p) {
    return p.expense && trains_to_target(p) ? std::optional(energy_kwh(p)) : std::nullopt;
  });
  const auto of_power = [](auto figure) { return of_expense(of_its(&Expense::power, figure)); };
  columns.insert(columns.end(),
                 {{"energy_basis", of_expense(&Expense::energy_basis)},
                  {"energy_per_sample_j",
                   [](const Point& p) {
                     return p.expense ? std::optional(energy_per_sample(p).base()) : std::nullopt;
                   }},
                  {"accelerator_utilisation", of_expense(&Expense::utilisation)},
                  {"accelerators_w", of_expense([](const Expense& e) {
                     return e.power.accelerators * mean_power(e.power, e.utilisation).base();
                   })},
                  {"hosts_w", of_power([](const MachinePower& p) { return p.hosts.base(); })},
                  {"switches_w", of_power([](const MachinePower& p) { return p.switches.base(); })},
                  {"facility_factor", of_power(&MachinePower::facility_factor)}});
}

const char* priced_thing(const ChosenPrice& price) {
  if (price.source == "asked for") return "asked for";
  return price.is_usual ? "accelerator" : "cluster";
}

void add_cost(Columns<Point>& columns) {
  add_ranged(columns, "cost", "_usd", [](const Point& p) {
    const bool has_price = p.expense && trains_to_target(p) && p.expense->price;
    return has_price ? std::optional(cost_usd(p)) : std::nullopt;
  });
  columns.insert(
      columns.end(),
      {{"cost_basis", if_trains(of_expense([](const Expense& e) {
          return e.price ? std::optional(e.cost_basis) : std::nullopt;
        }))},
       {"usd_per_accelerator_hour", of_price(&ChosenPrice::usd_per_hour)},
       {"price_term",
        of_price([](const ChosenPrice& price) { return name_in(price_terms, price.term); })},
       {"price_source", of_price(of_its(&ChosenPrice::source, known))},
       {"price_of", of_price(priced_thing)},
       {"interruption_every_h", if_trains(of_expense([](const Expense& e) {
          return e.interruptions.mean_between.base() / 3600;
        }))},
       {"interrupted_run_min",
        if_trains(of_expense([](const Expense& e) { return e.run.expected.base() / 60; }))},
       {"checkpoint_every_min", if_trains(of_expense([](const Expense& e) {
          const auto& every = e.run.checkpoint_every;
          return every ? std::optional(every->base() / 60) : std::nullopt;
        }))}});
}

void add_origin(Columns<Point>& columns, const PredictionStudy& study) {
  const auto of_compute = [](auto figure) {
    return of_its(&Point::parameters, &RunParameters::compute, figure);
  };
  columns.insert(
      columns.end(),
      {{"software_release", [&](const Point&) { return known(study.settings.software_release); }},
       {"calibrated_on", of_compute(of_its(&ComputeProfile::origin, known))},
       {"assumed",
        [&](const Point& p) {
          return known(fmt::format("{}", fmt::join(assumed_figures(study, p), "; ")));
        }},
       {"precision", of_compute([](const ComputeProfile& c) { return c.precision.matmul; })},
       {"substituted", of_its(&Point::substitutions, substituted)},
       {"skipped_because", of_its(&Point::skipped_because, known)}});
}

}  // namespace

Records predict_records(const PredictionStudy& study) {
  std::vector<ScalingPoint> scaling;
  for (const PredictedPoint& point : study.points)
    if (point.prediction) scaling.push_back(scaling_point(point));
  const ScalingPoint reference = scaling.empty() ? ScalingPoint{} : reference_point(scaling);
  Columns<Point> columns;
  add_point(columns, study);
  add_total(columns, reference);
  add_step(columns);
  add_run(columns);
  add_energy(columns);
  add_cost(columns);
  add_origin(columns, study);
  return records_of(columns, study.points);
}

}  // namespace report
}  // namespace tofn
