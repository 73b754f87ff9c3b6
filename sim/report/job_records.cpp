#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/job_figures.hpp"
#include "sim/report/job_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// One size, or one phase of it.
struct JobLine {
  const JobPoint* point = nullptr;
  const JobEstimate* estimate = nullptr;  ///< null where the size was skipped
  std::string phase{};

  const SimulatedStep* step() const {
    return estimate != nullptr ? &main_phase(estimate->job).step : nullptr;
  }
};

template <class Figure>
auto estimated(Figure figure) {
  return of_its(&JobLine::estimate, figure);
}
template <class Figure>
auto stepped(Figure figure) {
  return of_its(&JobLine::step, figure);
}
template <class Figure>
auto of_size(Figure figure) {
  return of_its(&JobLine::point, figure);
}

std::optional<double> price_of(const JobEstimate& e) {
  return e.expense.price ? std::optional(e.expense.price->usd_per_hour) : std::nullopt;
}

void add_parts(Columns<JobLine>& columns) {
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    columns.emplace_back(
        fmt::format("{}_s", step_parts[i].first),
        estimated([i](const JobEstimate& e) { return mean_step(e.job).parts[i].base(); }));
}

/// Of the fullest stage of all phases.
void add_memory(Columns<JobLine>& columns) {
  for (const FootprintPart& part : footprint_parts)
    columns.emplace_back(fmt::format("memory_{}_gb", part.name),
                         estimated([part](const JobEstimate& e) {
                           return (fullest_stage(e.job).*part.bytes).base() / 1e9;
                         }));
}

Columns<JobLine> columns_of(const JobRequest& asked) {
  using Step = SimulatedStep;
  Columns<JobLine> columns{
      {"model", [&](const JobLine&) { return asked.model().name; }},
      {"run", [&](const JobLine&) { return asked.run.name; }},
      {"cluster", [&](const JobLine&) { return asked.cluster.name; }},
      {"accelerators", of_size(&JobPoint::accelerators)},
      {"phase", [](const JobLine& row) { return known(row.phase); }},
      {"phase_accelerators", stepped([](const Step& s) { return s.plan.accelerators(); })},
      {"global_batch", stepped([](const Step& s) { return s.plan.global_batch(); })},
      {"sequence_length", stepped([](const Step& s) { return s.model.sequence_length; })},
      {"batch_is_assumed", [&](const JobLine&) { return asked.run.has_usual_batch; }},
      {"plan", stepped([](const Step& s) { return plan_words(s.plan); })},
      {"plan_is_chosen", of_size([](const JobPoint& p) { return p.plans_tried > 0; })},
      {"fits", of_size(&JobPoint::fits)}};
  add_job_figures(columns, [](const JobLine& row) { return row.estimate; });
  add_parts(columns);
  add_memory(columns);
  const std::vector<Column<JobLine>> rest{
      {"days_to_usual_loss", of_size(&JobPoint::days_to_usual_loss)},
      {"warning", of_size([](const JobPoint& p) { return substituted(p.warnings); })},
      {"parameters_active", stepped([](const Step& s) { return active_parameters(s.model); })},
      {"model_flop_a_sample", stepped([](const Step& s) { return model_flops(s.model).base(); })},
      {"hardware_flop_a_sample",
       stepped([](const Step& s) { return sample_work(s).hardware.base(); })},
      {"forward_flop_a_sample",
       stepped([](const Step& s) { return sample_work(s).forward.base(); })},
      {"peak_flop_per_s", stepped([](const Step& s) { return s.peak().base(); })},
      {"price_usd_per_hour", estimated(price_of)},
      {"grid_g_per_kwh", [&](const JobLine&) { return asked.grid_intensity; }},
      {"substituted", of_size([](const JobPoint& p) { return substituted(p.substitutions); })},
      {"skipped_because", of_size([](const JobPoint& p) { return known(p.skipped_because); })}};
  columns.insert(columns.end(), rest.begin(), rest.end());
  return columns;
}

}  // namespace

Records job_records(const JobRequest& asked, const JobAnswer& answer) {
  std::vector<JobLine> rows;
  for (const JobPoint& point : answer.points)
    rows.push_back({.point = &point, .estimate = point.estimate ? &*point.estimate : nullptr});
  return records_of(columns_of(asked), rows);
}

Records job_phase_records(const JobRequest& asked, const JobAnswer& answer) {
  std::vector<std::vector<JobEstimate>> phases;
  for (const JobPoint& point : answer.points) phases.push_back(phase_estimates(point));
  std::vector<JobLine> rows;
  for (std::size_t i = 0; i < phases.size(); ++i)
    for (const JobEstimate& phase : phases[i])
      rows.push_back({.point = &answer.points[i],
                      .estimate = &phase,
                      .phase = phase_name(asked.run, phase.job.phases.front().part_of)});
  return records_of(columns_of(asked), rows);
}

}  // namespace report
}  // namespace tofn
