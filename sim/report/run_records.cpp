#include "sim/report/run_records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/run_figures.hpp"
#include "sim/scaling/efficiency.hpp"

namespace tofn {
inline namespace report {
namespace {

/// What all rows of an answer share.
struct RunQuestion {
  std::string workload{}, model{}, run{};
  const Cluster* cluster = nullptr;
  double grid_intensity = usual_grid_intensity;
  bool batch_is_assumed = false;
  std::string release{};
};

/// One size, or one phase of it.
struct RunLine {
  const RunPoint* point = nullptr;
  const RunEstimate* estimate = nullptr;  ///< null where the size was skipped
  std::string phase{};
  std::string assumed{};
  std::optional<ScalingPoint> scaled{};

  const SimulatedStep* step() const {
    return estimate != nullptr && estimate->job ? &main_phase(*estimate->job).step : nullptr;
  }
  const BenchmarkRun* benchmark() const {
    return estimate != nullptr ? estimate->benchmark.get() : nullptr;
  }
};

template <class Figure>
auto estimated(Figure figure) {
  return of_its(&RunLine::estimate, figure);
}
template <class Figure>
auto simulated(Figure figure) {
  return of_its(&RunLine::step, figure);
}
template <class Figure>
auto of_size(Figure figure) {
  return of_its(&RunLine::point, figure);
}
template <class Figure>
auto of_plan(Figure figure) {
  return estimated(of_its(&RunEstimate::plan, figure));
}
template <class Figure>
auto of_expense(Figure figure) {
  return estimated(of_its(&RunEstimate::expense, figure));
}
template <class Figure>
auto of_power(Figure figure) {
  return of_expense(of_its(&Expense::power, figure));
}
template <class Figure>
auto of_price(Figure figure) {
  return of_expense(of_its(&Expense::price, figure));
}
template <class Figure>
auto of_compute(Figure figure) {
  return of_its(&RunLine::benchmark, &BenchmarkRun::parameters, &RunParameters::compute, figure);
}

void add_question(Columns<RunLine>& columns, const RunQuestion& asked) {
  const Cluster& cluster = *asked.cluster;
  const std::vector<Column<RunLine>> more{
      {"workload", [&](const RunLine&) { return known(asked.workload); }},
      {"model", [&](const RunLine&) { return known(asked.model); }},
      {"run", [&](const RunLine&) { return known(asked.run); }},
      {"cluster", [&](const RunLine&) { return cluster.name; }},
      {"accelerator", [&](const RunLine&) { return cluster.accelerator.name; }},
      {"accelerators", of_size(&RunPoint::accelerators)},
      {"phase", [](const RunLine& row) { return known(row.phase); }},
      {"phase_accelerators", of_plan(&Plan::accelerators)},
      {"global_batch", of_plan(&Plan::global_batch)},
      {"micro_batch", of_plan(&Plan::micro_batch)},
      {"tensor_parallel", of_plan(&Plan::tensor_parallel_size)},
      {"context_parallel", of_plan(&Plan::context_parallel_size)},
      {"pipeline_parallel", of_plan(&Plan::pipeline_parallel_size)},
      {"data_parallel", of_plan(&Plan::data_parallel_size)},
      {"gradient_accumulation", of_plan(&Plan::gradient_accumulation)},
      {"sequence_length",
       simulated([](const SimulatedStep& s) { return s.model.sequence_length; })},
      {"batch_is_assumed", [&](const RunLine&) { return asked.batch_is_assumed; }},
      {"plan", of_plan([](const Plan& plan) { return plan_words(plan); })},
      {"plan_is_chosen", of_size([](const RunPoint& p) { return p.plans_tried > 0; })},
      {"fits", of_size(&RunPoint::fits)}};
  columns.insert(columns.end(), more.begin(), more.end());
}

/// What speedup and efficiency are against.
void add_scaling(Columns<RunLine>& columns, const ScalingPoint& reference) {
  const auto of_scaled = [](auto figure) { return of_its(&RunLine::scaled, figure); };
  columns.emplace_back("reference_accelerators",
                       of_scaled([=](const ScalingPoint&) { return reference.accelerators; }));
  columns.emplace_back("speedup",
                       of_scaled([=](const ScalingPoint& p) { return speedup(p, reference); }));
  columns.emplace_back("efficiency", of_scaled([=](const ScalingPoint& p) {
                         return relative_efficiency(p, reference);
                       }));
}

/// Of the fullest stage of all phases.
void add_memory(Columns<RunLine>& columns) {
  for (const FootprintPart& part : footprint_parts)
    columns.emplace_back(
        fmt::format("memory_{}_gb", part.name), estimated([part](const RunEstimate& e) {
          return e.memory ? std::optional(((*e.memory).*part.bytes).base() / 1e9) : std::nullopt;
        }));
}

const char* priced_thing(const ChosenPrice& price) {
  if (price.source == "asked for") return "asked for";
  return price.is_usual ? "accelerator" : "cluster";
}

/// What energy and cost rest on.
void add_expense(Columns<RunLine>& columns, const RunQuestion& asked) {
  const std::vector<Column<RunLine>> more{
      {"energy_per_sample_j", estimated([](const RunEstimate& e) {
         return e.expense.energy.total().base() / e.expected.samples;
       })},
      {"accelerator_utilisation", of_expense(&Expense::utilisation)},
      {"accelerators_w", of_expense([](const Expense& e) {
         return e.power.accelerators * mean_power(e.power, e.utilisation).base();
       })},
      {"hosts_w", of_power([](const MachinePower& p) { return p.hosts.base(); })},
      {"switches_w", of_power([](const MachinePower& p) { return p.switches.base(); })},
      {"facility_factor", of_power(&MachinePower::facility_factor)},
      {"grid_g_per_kwh", [&](const RunLine&) { return asked.grid_intensity; }},
      {"price_usd_per_hour", of_price(&ChosenPrice::usd_per_hour)},
      {"price_term",
       of_price([](const ChosenPrice& price) { return name_in(price_terms, price.term); })},
      {"price_source", of_price(of_its(&ChosenPrice::source, known))},
      {"price_of", of_price(priced_thing)},
      {"interruption_every_h",
       of_expense([](const Expense& e) { return e.interruptions.mean_between.base() / 3600; })},
      {"checkpoint_every_min", of_expense([](const Expense& e) {
         const auto& every = e.run.checkpoint_every;
         return every ? std::optional(every->base() / 60) : std::nullopt;
       })}};
  columns.insert(columns.end(), more.begin(), more.end());
}

void add_origin(Columns<RunLine>& columns, const RunQuestion& asked) {
  using Step = SimulatedStep;
  const std::vector<Column<RunLine>> more{
      {"days_to_usual_loss", of_size(&RunPoint::days_to_usual_loss)},
      {"warning", of_size([](const RunPoint& p) { return substituted(p.warnings); })},
      {"parameters_active", simulated([](const Step& s) { return active_parameters(s.model); })},
      {"model_flop_a_sample", simulated([](const Step& s) { return model_flops(s.model).base(); })},
      {"hardware_flop_a_sample",
       simulated([](const Step& s) { return sample_work(s.model, s.plan).hardware.base(); })},
      {"forward_flop_a_sample",
       simulated([](const Step& s) { return sample_work(s.model, s.plan).forward.base(); })},
      {"peak_flop_per_s", simulated([](const Step& s) { return s.peak().base(); })},
      {"software_release", [&](const RunLine&) { return known(asked.release); }},
      {"calibrated_on", of_compute(of_its(&ComputeProfile::origin, known))},
      {"precision", of_compute([](const ComputeProfile& c) { return c.precision.matmul; })},
      {"assumed", [](const RunLine& row) { return known(row.assumed); }},
      {"substituted", of_size([](const RunPoint& p) { return substituted(p.substitutions); })},
      {"skipped_because", of_size([](const RunPoint& p) { return known(p.skipped_because); })}};
  columns.insert(columns.end(), more.begin(), more.end());
}

/// Speedup is of the time of a run where sizes train alike, else of a sample.
ScalingPoint scaled_of(const RunPoint& point) {
  if (point.estimate->benchmark) return scaling_point(point);
  return {.accelerators = point.accelerators,
          .minutes = 1 / point.estimate->expected.samples_per_second / 60};
}

Records records_of_lines(const RunQuestion& asked, std::vector<RunLine> lines) {
  std::vector<ScalingPoint> scaling;
  for (RunLine& line : lines)
    if (line.estimate != nullptr && line.phase.empty())
      scaling.push_back(*(line.scaled = scaled_of(*line.point)));
  Columns<RunLine> columns;
  add_question(columns, asked);
  add_run_figures(columns, [](const RunLine& row) { return row.estimate; });
  add_scaling(columns, scaling.empty() ? ScalingPoint{} : reference_point(scaling));
  add_step_parts(columns, [](const RunLine& row) { return row.estimate; });
  add_memory(columns);
  add_expense(columns, asked);
  add_origin(columns, asked);
  return records_of(columns, lines);
}

RunLine line_of(const RunPoint& point) {
  return {.point = &point, .estimate = point.estimate ? &*point.estimate : nullptr};
}

RunQuestion question_of(const JobRequest& asked) {
  return {.model = asked.model().name,
          .run = asked.run.name,
          .cluster = &asked.cluster,
          .grid_intensity = asked.grid_intensity,
          .batch_is_assumed = asked.run.has_usual_batch};
}

}  // namespace

Records run_records(const JobRequest& asked, const JobAnswer& answer) {
  std::vector<RunLine> lines;
  for (const RunPoint& point : answer.points) {
    RunLine& line = lines.emplace_back(line_of(point));
    if (point.estimate)
      line.assumed = fmt::format("{}", fmt::join(point.estimate->expense.assumed, "; "));
  }
  return records_of_lines(question_of(asked), std::move(lines));
}

Records run_records(const PredictionStudy& study) {
  std::vector<RunLine> lines;
  for (const RunPoint& point : study.points) {
    RunLine& line = lines.emplace_back(line_of(point));
    line.assumed = fmt::format("{}", fmt::join(assumed_figures(study, point), "; "));
  }
  return records_of_lines({.workload = study.workload->name,
                           .run = study.workload->name,
                           .cluster = study.cluster,
                           .grid_intensity = study.grid_intensity,
                           .release = study.settings.software_release},
                          std::move(lines));
}

Records phase_records(const JobRequest& asked, const JobAnswer& answer) {
  std::vector<std::vector<RunEstimate>> phases;
  for (const RunPoint& point : answer.points) phases.push_back(phase_estimates(point));
  std::vector<RunLine> lines;
  for (std::size_t i = 0; i < phases.size(); ++i)
    for (const RunEstimate& phase : phases[i])
      lines.push_back({.point = &answer.points[i],
                       .estimate = &phase,
                       .phase = phase_name(asked.run, phase.job->phases.front().part_of)});
  return records_of_lines(question_of(asked), std::move(lines));
}

}  // namespace report
}  // namespace tofn
