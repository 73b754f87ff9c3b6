#include <cmath>

#include <fmt/format.h>

#include "sim/report/notes.hpp"
#include "sim/report/sensitivity_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr std::size_t most_rows = 12;
constexpr double least_shown = 5e-4;  // rounds to 0.1 %

std::string elasticity_cell(double elasticity) {
  return std::abs(elasticity) < least_shown ? "." : fmt::format("{:+.3f}", elasticity);
}

/// `10 % more network.nic_bandwidth buys 1.3 % of the time`: of each part of the machine the figure
/// that buys most.
std::string bought_text(const Sensitivity& of) {
  std::vector<std::string> bought;
  for (const char* part : {"accelerator.", "scale_up.", "network."})
    for (const Elasticity& each : of.elasticities)
      if (each.lever.name.starts_with(part) && each.effect[0] < -least_shown) {
        bought.push_back(fmt::format("{:.3g} % more {} buys {:.2g} % of the time",
                                     100 * each.change, each.lever.name, -100 * each.effect[0]));
        break;
      }
  return bought.empty() ? "" : listed_note("so", bought, ",");
}

std::string elasticities_text(const Sensitivity& of) {
  TextTable table({{"figure", Align::Left},
                   {"value"},
                   {"time"},
                   {"cost"},
                   {"energy"},
                   {"source", Align::Left}});
  std::size_t shown = 0;
  std::string rest;
  for (const Elasticity& each : of.elasticities) {
    bool matters = false;
    for (const double one : each.elasticity) matters = matters || std::abs(one) >= least_shown;
    if (!matters || shown == most_rows) continue;
    ++shown;
    table.add({each.lever.name, each.lever.text, elasticity_cell(each.elasticity[0]),
               of.expected.usd > 0 ? elasticity_cell(each.elasticity[1]) : "-",
               elasticity_cell(each.elasticity[2]), fitted(each.lever.source, 40)});
  }
  std::string text = "\n% more of each for 1 % more of a figure, the plan fixed\n" + table.render();
  if (of.elasticities.size() > shown)
    text +=
        fmt::format("{} more figures act, less (--format csv)\n", of.elasticities.size() - shown);
  return text + bought_text(of);
}

std::string tornado_text(const Sensitivity& of) {
  TextTable table({{"uncertain", Align::Left}, {"time at 5 %"}, {"at 95 %"}, {"variance %"}});
  for (const TimeUncertainty& each : of.uncertainties) {
    if (each.share < 5e-3) continue;
    table.add({each.name, fmt::format("{:+.1f} %", 100 * (each.factor.low - 1)),
               fmt::format("{:+.1f} %", 100 * (each.factor.high - 1)),
               fmt::format("{:.0f}", 100 * each.share)});
  }
  return "\n" + table.render();
}

/// Half of a 90 % interval of such a logarithm.
double half_width(double deviation) {
  return 100 * std::expm1(ninety_percent_deviations * deviation);
}

std::string remedy_text(const Sensitivity& of) {
  const TimeUncertainty& largest = of.uncertainties.front();
  std::string text = fmt::format("{}, {:.0f} % of the variance", largest.name, 100 * largest.share);
  if (of.remedy)
    text += fmt::format("; {} would leave {}{:.1f} of {:.1f} % (90 %){}", of.remedy->measurement,
                        of.remedy->is_a_bound ? "at best " : "", half_width(of.remedy->deviation),
                        half_width(of.deviation),
                        of.remedy->deviation <= of.deviation / 2 ? ": it halves it" : "");
  return note("uncertain", text);
}

}  // namespace

std::string sensitivity_text(const Sensitivity& of) {
  std::string text = elasticities_text(of);
  if (!of.uncertainties.empty()) text += tornado_text(of) + remedy_text(of);
  return text;
}

std::string break_even_text(const std::vector<BreakEven>& all) {
  std::string text;
  for (const BreakEven& each : all) text += note("break-even", each.words);
  return text;
}

}  // namespace report
}  // namespace tofn
