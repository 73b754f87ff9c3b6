#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/job_report.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace report {
namespace {

const SimulatedStep& step_of(const JobPoint& point) {
  return point.estimate->job.phases.front().step;
}

/// What a figure of the estimate is; nothing where there is no estimate.
template <class Figure>
auto estimated(Figure figure) {
  return [figure](const JobPoint& point) {
    return point.estimate ? to_value(figure(*point.estimate)) : Value{};
  };
}
template <class Figure>
auto stepped(Figure figure) {
  return [figure](const JobPoint& point) {
    return point.estimate ? to_value(figure(step_of(point))) : Value{};
  };
}

void add_figures(Columns<JobPoint>& columns) {
  for (const JobFigure& figure : job_figures) {
    const std::string name(figure.name);
    const auto is_known = [figure](const JobEstimate& e) {
      return figure.value != &JobFigures::usd || e.expense.price.has_value();
    };
    columns.emplace_back(name, estimated([=](const JobEstimate& e) {
                           return is_known(e) ? std::optional(e.expected.*figure.value)
                                              : std::nullopt;
                         }));
    columns.emplace_back(name + "_low90", estimated([=](const JobEstimate& e) {
                           return is_known(e) ? std::optional(e.interval(figure).low)
                                              : std::nullopt;
                         }));
    columns.emplace_back(name + "_high90", estimated([=](const JobEstimate& e) {
                           return is_known(e) ? std::optional(e.interval(figure).high)
                                              : std::nullopt;
                         }));
  }
}

}  // namespace

Records job_records(const JobRequest& asked, const JobAnswer& answer) {
  using Point = JobPoint;
  using Step = SimulatedStep;
  Columns<Point> columns{{"model", [&](const Point&) { return asked.model.name; }},
                         {"cluster", [&](const Point&) { return asked.cluster.name; }},
                         {"accelerators", &Point::accelerators},
                         {"global_batch", [&](const Point&) { return answer.batch; }},
                         {"batch_is_assumed", [&](const Point&) { return answer.is_usual_batch; }},
                         {"plan", stepped([](const Step& s) { return plan_words(s.plan); })},
                         {"plan_is_chosen", [](const Point& p) { return p.plans_tried > 0; }},
                         {"fits", &Point::fits}};
  add_figures(columns);
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    columns.emplace_back(fmt::format("{}_s", step_parts[i].first),
                         stepped([i](const Step& s) { return s.times.parts[i].base(); }));
  const std::vector<Column<Point>> rest{
      {"step_basis", stepped([](const Step& s) { return s.times.cost().basis; })},
      {"energy_basis", estimated([](const JobEstimate& e) { return e.expense.energy_basis; })},
      {"cost_basis", estimated([](const JobEstimate& e) { return e.expense.cost_basis; })},
      {"price_usd_per_hour", estimated([](const JobEstimate& e) {
         return e.expense.price ? std::optional(e.expense.price->usd_per_hour) : std::nullopt;
       })},
      {"grid_g_per_kwh", [&](const Point&) { return asked.grid_intensity; }},
      {"critical_batch_tokens", estimated([&](const JobEstimate& e) {
         return e.expected.tokens > 0 && !answer.is_one_step
                    ? std::optional(
                          critical_batch_tokens(active_parameters(asked.model), e.expected.tokens))
                    : std::nullopt;
       })},
      {"substituted", stepped([](const Step& s) { return substituted(s.substitutions); })},
      {"skipped_because", [](const Point& p) { return known(p.skipped_because); }}};
  columns.insert(columns.end(), rest.begin(), rest.end());
  return records_of(columns, answer.points);
}

}  // namespace report
}  // namespace tofn
