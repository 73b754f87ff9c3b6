#include "sim/sweep/columns.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include <fmt/format.h>

#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace sweep {
namespace {

using enum ColumnOf;
using enum CellType;

double seconds(Seconds time) { return time.base(); }
double minutes(Seconds time) { return time.base() / 60; }

/// Column of a figure of the plan.
template <class T>
PointColumn part_of_plan(const PlanField& field, T Plan::*member) {
  const CellType type = std::is_integral_v<T> ? Whole : Text;
  return {std::string(field.name),     field.meaning, type, Stage::Plan, Both,
          of_its(&Point::plan, member)};
}

/// Column of the accelerators that the plan uses of each domain, stated or not.
PointColumn part_of_plan(const PlanField& field, std::optional<int> Plan::*) {
  return {std::string(field.name), field.meaning, Whole, Stage::Plan, Both, [](const Point& p) {
            return used_of_domain(p.plan, *p.cluster);
          }};
}

/// Compute time; for workloads including the launch time, which does not shrink with the samples.
Seconds compute_of(const Point& p) {
  const Seconds launch = part(p.times->parts, StepPart::Launch);
  return part(p.times->parts, StepPart::Compute) + (p.run ? launch : Seconds{});
}

void add_plan_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](PointColumn column) { columns.push_back(std::move(column)); };
  add({"accelerators", "accelerators of the job", Whole, Stage::Plan, Both,
       [](const Point& p) { return p.plan.accelerators(); }});
  add({"gpus_per_node", "accelerators of a node", Whole, Stage::Plan, Both,
       [](const Point& p) { return p.cluster->accelerators_per_node.value; }});
  add({"domain", "accelerators of a scale-up domain", Whole, Stage::Plan, Both,
       [](const Point& p) { return p.cluster->scale_up.domain_accelerators.value; }});
  add({"cluster", "name of the cluster", Text, Stage::Plan, Both,
       [](const Point& p) { return p.cluster->name; }});
  add({"accelerator", "name of the accelerator", Text, Stage::Plan, Both,
       [](const Point& p) { return p.cluster->accelerator.name; }});
  add({"substituted", "substitutes for what the machine lacks", Text, Stage::Time, Both,
       [](const Point& p) { return substituted(substitutions(p)); }});
  add({"batch", "samples of a step", Number, Stage::Plan, Both,
       [](const Point& p) { return p.plan.global_batch(); }});
  add({"replica_batch", "samples of a replica and step", Number, Stage::Plan, Both,
       [](const Point& p) { return p.plan.micro_batch * p.plan.gradient_accumulation; }});
  add({"micro_batch", "samples of a replica and pass", Number, Stage::Plan, Both,
       [](const Point& p) { return p.plan.micro_batch; }});
  add({"grad_accum", "passes of a step", Whole, Stage::Plan, Both,
       [](const Point& p) { return p.plan.gradient_accumulation; }});
  visit_plan([&](const PlanField& field, auto member) { add(part_of_plan(field, member)); });
  add({std::string(plan_column), "split of the job over accelerators, in words", Text, Stage::Plan,
       Models, [](const Point& p) { return plan_words(p.plan); }});
}

void add_memory_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](PointColumn column) { columns.push_back(std::move(column)); };
  add({"memory_gb", "memory of the most loaded accelerator, in GB", Number, Stage::Memory, Models,
       [](const Point& p) { return p.memory.total().base() / 1e9; }});
  add({"memory_share", "share of its memory that the most loaded accelerator takes", Number,
       Stage::Memory, Models,
       [](const Point& p) { return p.memory.total() / p.cluster->accelerator.memory.value; }});
  for (const std::string_view name : fits_columns)
    add({std::string(name), "1 where every stage fits the memory", Whole, Stage::Memory, Models,
         [](const Point& p) { return p.fits; }});
}

void add_step_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](PointColumn column) { columns.push_back(std::move(column)); };
  add({"step_s", "time of one optimizer step", Number, Stage::Time, Both,
       [](const Point& p) { return seconds(p.times->total); }});
  add({"samples_per_s", "samples per second of the job", Number, Stage::Time, Both,
       [](const Point& p) { return p.samples_per_second(); }});
  add({"samples_per_s_each", "samples per second of one accelerator", Number, Stage::Time, Both,
       [](const Point& p) { return p.samples_per_second() / p.plan.accelerators(); }});
  add({"communication_s", "time of a step's communication, hidden or not", Number, Stage::Time,
       Both, [](const Point& p) { return seconds(p.times->communication); }});
  add({"communication_exposed_s", "time of a step's communication that nothing hides", Number,
       Stage::Time, Both, [](const Point& p) { return seconds(p.times->exposed().time); }});
  add({"communication_exposed_share", "share of the step in communication that nothing hides",
       Number, Stage::Time, Both,
       [](const Point& p) { return p.times->exposed().time / p.times->total; }});
  add({"comm_to_comp", "time of communication, hidden or not, over that of computation", Number,
       Stage::Time, Both, [](const Point& p) { return p.times->communication / compute_of(p); }});
}

void add_model_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](PointColumn column) { columns.push_back(std::move(column)); };
  const auto achieved = [](const Point& p) {
    return p.model_flops * p.plan.global_batch() / p.times->total / p.plan.accelerators();
  };
  add({"tflops_each", "model FLOPs per second and accelerator", Number, Stage::Time, Models,
       [=](const Point& p) { return achieved(p).base() / 1e12; }});
  add({"mfu", "model FLOPs per second over the dense peak", Number, Stage::Time, Models,
       [=](const Point& p) {
         return achieved(p) / p.cluster->accelerator.peak_at(requested_precision(*p.model, p.plan));
       }});
  for (const auto& [name, which] : step_parts)
    add({fmt::format("{}_s", name), "part of the step; of communication the exposed time", Number,
         Stage::Time, Both,
         [which = which](const Point& p) { return seconds(part(p.times->parts, which)); }});
  add({"bottleneck",
       "bottleneck of the step: compute, communication, bubble, imbalance, overhead or mixed", Text,
       Stage::Time, Both, [](const Point& p) { return bottleneck_of(*p.times).name; }});
}

void add_workload_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](PointColumn column) { columns.push_back(std::move(column)); };
  const auto to_target = [](auto figure) {
    return [figure](const Point& p) {
      return p.has_target ? std::optional(figure(*p.run)) : std::nullopt;
    };
  };
  add({"samples", "samples to the target", Number, Stage::Time, Workloads,
       to_target([](const RunBreakdown& run) { return run.samples; })});
  add({"time_to_train_min", "minutes to train, as its benchmark scores", Number, Stage::Time,
       Workloads, to_target([](const RunBreakdown& run) { return minutes(run.total().time); })});
  add({"evaluation_s", "time of evaluations within the time to train", Number, Stage::Time,
       Workloads, to_target([](const RunBreakdown& run) { return seconds(run.evaluation.time); })});
  add({"basis", "basis of the weakest term of the time", Text, Stage::Time, Workloads,
       [](const Point& p) { return p.run->total().basis; }});
  add({"arithmetic_basis", "basis of the speed of the arithmetic", Text, Stage::Time, Workloads,
       [](const Point& p) {
         return p.run->step.bases[static_cast<std::size_t>(StepPart::Compute)];
       }});
}

void add_expense_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](PointColumn column) { columns.push_back(std::move(column)); };
  add({"joules_per_sample",
       "energy of a sample in a step: accelerators, hosts, fans, switches, facility", Number,
       Stage::Expense, Both, [](const Point& p) { return p.energy_per_sample.base(); }});
  add({"accelerator_hours", "accelerator-hours of the run, interruptions included", Number,
       Stage::Expense, Workloads, [](const Point& p) {
         return p.expense ? std::optional(p.expense->accelerator_hours) : std::nullopt;
       }});
  add({"energy_kwh", "energy of the run, interruptions included", Number, Stage::Expense, Workloads,
       [](const Point& p) {
         return p.expense ? std::optional(kilowatt_hours(p.expense->energy.total())) : std::nullopt;
       }});
  add({"cost_usd", "cost of the run, at the cluster's price or its accelerator's default one",
       Number, Stage::Expense, Workloads,
       [](const Point& p) { return p.expense ? p.expense->usd : std::nullopt; }});
}

/// Kinds of sweep for which a figure has no column yet; absent if all have one.
std::optional<ColumnOf> without_column(const std::vector<PointColumn>& columns,
                                       std::string_view name) {
  bool has_models = false;
  bool has_workloads = false;
  for (const PointColumn& each : columns) {
    if (each.name != name) continue;
    has_models = has_models || each.of != Workloads;
    has_workloads = has_workloads || each.of != Models;
  }
  if (has_models && has_workloads) return {};
  return has_models ? Workloads : has_workloads ? Models : Both;
}

/// Adds columns for figures of a run that have none yet and, for figures with a column in tables of
/// sizes, for their values with the overrun and the ends of their intervals.
void add_run_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](const RunFigure& figure, std::string_view end, auto of) {
    const std::string name = std::string(figure.name) + std::string(end);
    const auto kinds = without_column(columns, name);
    if (!kinds) return;
    columns.push_back(
        {name, figure.definition, Number, Stage::Interval, *kinds, [=](const Point& p) {
           return p.estimate->value(figure) ? std::optional(of(*p.estimate)) : std::nullopt;
         }});
  };
  for (const RunFigure& figure : run_figures) {
    add(figure, "", [figure](const RunEstimate& run) { return *run.value(figure); });
    if (figure.head.empty() || figure.rests_on == RestsOn::Request) continue;
    if (figure.value == &RunFigures::days || figure.value == &RunFigures::usd)
      add(figure, "_as_runs_went",
          [figure](const RunEstimate& run) { return *run.typical(figure); });
    add(figure, "_low90", [figure](const RunEstimate& run) {
      return has_interval(figure) ? std::optional(run.interval(figure).low) : std::nullopt;
    });
    add(figure, "_high90", [figure](const RunEstimate& run) {
      return has_interval(figure) ? upper_end(run.interval(figure)) : std::nullopt;
    });
  }
}

void add_reference_columns(std::vector<PointColumn>& columns) {
  const auto add = [&](PointColumn column) { columns.push_back(std::move(column)); };
  add({"speedup",
       "speedup over the reference in time to train; of models without days in samples per second",
       Number, Stage::Reference, Both, &Point::speedup});
  add({"efficiency", "speedup over growth of the accelerators", Number, Stage::Reference, Both,
       [](const Point& p) {
         return p.speedup ? std::optional(*p.speedup / p.growth) : std::nullopt;
       }});
  add({"throughput_efficiency", "samples per second and accelerator over those of the reference",
       Number, Stage::Reference, Both, &Point::throughput_efficiency});
}

bool is_of(const PointColumn& column, bool models) {
  return column.of == Both || column.of == (models ? Models : Workloads);
}

}  // namespace

std::span<const PointColumn> point_columns() {
  static const std::vector<PointColumn> all = [] {
    std::vector<PointColumn> columns;
    add_plan_columns(columns);
    add_memory_columns(columns);
    add_step_columns(columns);
    add_model_columns(columns);
    add_workload_columns(columns);
    add_expense_columns(columns);
    add_run_columns(columns);
    add_reference_columns(columns);
    return columns;
  }();
  return all;
}

const PointColumn* find_column(std::string_view name, bool of_models) {
  for (const PointColumn& column : point_columns())
    if (column.name == name && is_of(column, of_models)) return &column;
  return nullptr;
}

std::vector<std::string> column_names(bool of_models) {
  std::vector<std::string> names;
  for (const PointColumn& column : point_columns())
    if (is_of(column, of_models)) names.emplace_back(column.name);
  return names;
}

std::vector<std::string> default_columns(bool of_models, bool of_runs) {
  if (of_models && of_runs)
    return {
        "days_as_runs_went", "days_low90", "days_high90", "cost_usd_as_runs_went", "step_s", "mfu",
        "memory_gb"};
  if (of_models)
    return {"step_s",     "samples_per_s", "mfu", "communication_exposed_share",
            "bottleneck", "memory_gb"};
  return {"batch",       "step_s", "time_to_train_min", "samples", "communication_exposed_share",
          "comm_to_comp"};
}

}  // namespace sweep
}  // namespace tofn
