#include "sim/report/sensitivity_report.hpp"

namespace tofn {
inline namespace report {
namespace {

struct InputLine {
  const Elasticity* figure = nullptr;
  const TimeUncertainty* uncertainty = nullptr;
};

template <class Of>
auto of_figure(Of value) {
  return of_its(&InputLine::figure, value);
}
template <class Of>
auto of_uncertainty(Of value) {
  return of_its(&InputLine::uncertainty, value);
}

}  // namespace

Records sensitivity_records(const Sensitivity& of) {
  std::vector<InputLine> rows;
  for (const Elasticity& each : of.elasticities) rows.push_back({.figure = &each});
  for (const TimeUncertainty& each : of.uncertainties) rows.push_back({.uncertainty = &each});
  Columns<InputLine> columns{
      {"input",
       [](const InputLine& row) {
         return row.figure ? row.figure->lever.name : row.uncertainty->name;
       }},
      {"value", of_figure([](const Elasticity& e) { return e.lever.text; })},
      {"source", of_figure([](const Elasticity& e) { return e.lever.source; })},
      {"change", of_figure(&Elasticity::change)}};
  for (std::size_t i = 0; i < outcome_figures.size(); ++i) {
    const std::string name(outcome_figures[i].name);
    columns.emplace_back(name + "_effect",
                         of_figure([i](const Elasticity& e) { return e.effect[i]; }));
    columns.emplace_back(name + "_elasticity",
                         of_figure([i](const Elasticity& e) { return e.elasticity[i]; }));
  }
  const Columns<InputLine> rest{
      {"time_factor_low5", of_uncertainty([](const TimeUncertainty& d) { return d.factor.low; })},
      {"time_factor_high95",
       of_uncertainty([](const TimeUncertainty& d) { return d.factor.high; })},
      {"variance_share", of_uncertainty(&TimeUncertainty::share)},
      {"measurement", of_uncertainty(&TimeUncertainty::measurement)}};
  columns.insert(columns.end(), rest.begin(), rest.end());
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
