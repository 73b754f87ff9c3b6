#include <cmath>

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/sensitivity_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr std::size_t most_rows = 12;
constexpr double least_shown = 5e-4;  // smaller values round to less than 0.1 %

std::string elasticity_cell(double elasticity) {
  return std::abs(elasticity) < least_shown ? "." : fmt::format("{:+.3f}", elasticity);
}

/// Text such as `10 % more network.nic_bandwidth saves 1.3 % of the time`, for the figure with the
/// largest effect in each part of the machine.
std::string bought_text(const Sensitivity& of) {
  std::vector<std::string> bought;
  for (const char* part : {"accelerator.", "scale_up.", "network."})
    for (const Elasticity& each : of.elasticities)
      if (each.input.name.starts_with(part) && each.effect[0] < -least_shown) {
        bought.push_back(fmt::format("{:.3g} % more {} saves {:.2g} % of the time",
                                     100 * each.change, each.input.name, -100 * each.effect[0]));
        break;
      }
  return bought.empty() ? "" : listed_note("so", bought, ",");
}

/// A figure of the machine or plan, or an uncertain input.
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
std::string input_name(const InputLine& row) {
  return row.figure ? row.figure->input.name : row.uncertainty->name;
}

TableColumns<InputLine> elasticity_columns(const Sensitivity& of) {
  const auto source = of_figure([](const Elasticity& e) { return e.input.source; });
  TableColumns<InputLine> columns{
      {"input", input_name, left("figure"), "figure of a machine, plan or run that is moved"},
      {"value", of_figure([](const Elasticity& e) { return e.input.text; }), right("value"),
       "value of the input"},
      {"source", source},
      {"change", of_figure(&Elasticity::change), "change of the input, as a share"}};
  for (std::size_t i = 0; i < outcome_figures.size(); ++i) {
    const std::string name(outcome_figures[i].name);
    const bool is_known = outcome_figures[i].value != &Outcome::usd || of.expected.usd > 0;
    columns.push_back({name + "_effect",
                       of_figure([i](const Elasticity& e) { return e.effect[i]; }),
                       fmt::format("share by which the {} moves", name)});
    columns.push_back({name + "_elasticity",
                       of_figure([i](const Elasticity& e) { return e.elasticity[i]; }),
                       right(name, [=](double e) { return is_known ? elasticity_cell(e) : "-"; }),
                       fmt::format("per cent that the {} moves by for one of the input", name)});
  }
  columns.push_back(
      left("source", [](const InputLine& row) { return fitted(row.figure->input.source, 40); }));
  return columns;
}

TableColumns<InputLine> uncertainty_columns() {
  const auto low = of_uncertainty([](const TimeUncertainty& d) { return d.factor.low; });
  const auto high = of_uncertainty([](const TimeUncertainty& d) { return d.factor.high; });
  const auto moved = [](double factor) { return fmt::format("{:+.1f} %", 100 * (factor - 1)); };
  return {{left("uncertain", input_name), "input that is uncertain"},
          {"time_factor_low5", low, right("time at 5 %", moved),
           "5th percentile of the time by the input's share of the variance"},
          {"time_factor_high95", high, right("at 95 %", moved),
           "95th percentile of the time by the input's share of the variance"},
          {"variance_share", of_uncertainty(&TimeUncertainty::share),
           right("variance %", whole_percent), "share of the variance of the time"},
          {"measurement",
           of_uncertainty([](const TimeUncertainty& d) { return row_of(d.by).measurement; }),
           "measurement that would remove the uncertainty"}};
}

std::string elasticities_text(const Sensitivity& of) {
  std::vector<InputLine> shown;
  for (const Elasticity& each : of.elasticities) {
    bool matters = false;
    for (const double one : each.elasticity) matters = matters || std::abs(one) >= least_shown;
    if (matters && shown.size() < most_rows) shown.push_back({.figure = &each});
  }
  std::string text = "\n% more of each for 1 % more of a figure, the plan fixed\n" +
                     table_text(elasticity_columns(of), shown);
  if (of.elasticities.size() > shown.size())
    text += fmt::format("{} more figures act, less (--format csv)\n",
                        of.elasticities.size() - shown.size());
  return text + bought_text(of);
}

std::string tornado_text(const Sensitivity& of) {
  std::vector<InputLine> shown;
  for (const TimeUncertainty& each : of.uncertainties)
    if (each.share >= 5e-3) shown.push_back({.uncertainty = &each});
  return "\n" + table_text(uncertainty_columns(), shown);
}

std::string next_text(const Sensitivity& of) {
  const TimeUncertainty& largest = of.uncertainties.front();
  std::string text = fmt::format("{}, {:.0f} % of the variance", largest.name, 100 * largest.share);
  if (of.next.empty()) return note("uncertain", text + "; no measurement would narrow the range");
  const Measurement& next = of.next.front();
  text += fmt::format(
      "; {} ({}) would narrow the range from +-{:.1f} to {}+-{:.1f} % (--next-measurement)",
      next.name, next.command, 100 * half_width(of.deviation), next.is_a_bound ? "at best " : "",
      100 * half_width(next.deviation));
  return note("uncertain", text);
}

}  // namespace

std::string sensitivity_text(const Sensitivity& of) {
  std::string text = elasticities_text(of);
  if (!of.uncertainties.empty()) text += tornado_text(of) + next_text(of);
  return text;
}

ExplainedRecords sensitivity_records(const Sensitivity& of) {
  std::vector<InputLine> rows;
  for (const Elasticity& each : of.elasticities) rows.push_back({.figure = &each});
  for (const TimeUncertainty& each : of.uncertainties) rows.push_back({.uncertainty = &each});
  TableColumns<InputLine> columns = elasticity_columns(of);
  for (const auto& column : uncertainty_columns()) columns.push_back(column);
  return records_of(columns, rows);
}

std::string break_even_text(const std::vector<BreakEven>& all) {
  std::string text;
  for (const BreakEven& each : all) text += note("break-even", each.words);
  return text;
}

}  // namespace report
}  // namespace tofn
