#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/report/notes.hpp"
#include "sim/report/study_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

struct Factor {
  const char* name;
  double Losses::*kept;
};
constexpr std::array factors{Factor{"samples", &Losses::samples}, Factor{"step", &Losses::step},
                             Factor{"evaluation", &Losses::evaluation},
                             Factor{"start_up", &Losses::start_up},
                             Factor{"score", &Losses::score}};

std::string share(double kept) { return fmt::format("{:.3f}", kept); }

std::vector<std::string> cells(const Losses& losses) {
  std::vector<std::string> text{share(losses.total)};
  for (const Factor& factor : factors) text.push_back(share(losses.*factor.kept));
  return text;
}

void add(TextTable& table, std::vector<std::string> first, const Losses& losses,
         const std::vector<std::string>& last) {
  for (std::string& cell : cells(losses)) first.push_back(std::move(cell));
  first.insert(first.end(), last.begin(), last.end());
  table.add(std::move(first));
}

std::string losses_legend() {
  return note("total",
              "T_8 x 8 / (T_N x N), the product of samples to target, step per sample, "
              "evaluation, start-up and score (the benchmark's rule, what was not logged)") +
         note("of step",
              "granularity (cost that does not shrink with the samples of a step), exposed "
              "communication, the wait for the slowest node") +
         note("server",
              "measured over predicted step: another server than the base's, and what the "
              "prediction misses") +
         note("*", "the measured steps hold evaluations that were not logged apart");
}

/// One of the two records of a loss.
struct KindOfLoss {
  const Waterfall* loss;
  const Losses* kept;
  bool is_predicted;
};

template <class Figure>
auto of_loss(Figure figure) {
  return of_its(&KindOfLoss::loss, figure);
}
auto if_predicted(double StepLosses::*kept) {
  return [kept](const KindOfLoss& row) {
    return row.is_predicted ? Value{row.loss->predicted_step.*kept} : Value{};
  };
}

}  // namespace

std::string losses_text(std::span<const Waterfall> losses) {
  if (losses.empty()) return "";
  TextTable table({{"efficiency kept from 8", Align::Left},
                   {"N"},
                   {"base", Align::Left},
                   {"", Align::Left},
                   {"total"},
                   {"samples"},
                   {"step"},
                   {"eval."},
                   {"start"},
                   {"score"},
                   {"gran."},
                   {"comm."},
                   {"wait"},
                   {"server"}});
  for (const Waterfall& loss : losses) {
    const std::string mark = loss.evaluations_apart ? "" : "*";
    add(table, {loss.workload, fmt::format("{}", loss.accelerators), loss.base_system, "predicted"},
        loss.predicted,
        {share(loss.predicted_step.granularity), share(loss.predicted_step.communication),
         share(loss.predicted_step.waiting), ""});
    add(table, {"  " + loss.system, "", "", "measured" + mark}, loss.measured,
        {"", "", "", share(loss.server)});
  }
  return table.render() + losses_legend() + "\n";
}

std::string largest_losses_text(std::span<const Waterfall> losses) {
  if (losses.empty()) return "";
  TextTable table({{"efficiency kept from 8", Align::Left},
                   {"N"},
                   {"", Align::Left},
                   {"total"},
                   {"samples"},
                   {"step"},
                   {"eval."},
                   {"start"},
                   {"score"}});
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const Waterfall& loss = losses[i];
    if (i + 1 < losses.size() && losses[i + 1].workload == loss.workload) continue;
    add(table, {loss.workload, fmt::format("{}", loss.accelerators), "predicted"}, loss.predicted,
        {});
    add(table, {"", "", "measured"}, loss.measured, {});
  }
  return table.render() + '\n';
}

Records loss_records(const StudyAnswer& answer) {
  using Row = KindOfLoss;
  Columns<Row> columns{
      {"benchmark", of_loss(&Waterfall::workload)},
      {"accelerator", of_loss(&Waterfall::accelerator)},
      {"accelerators", of_loss(&Waterfall::accelerators)},
      {"system", of_loss(&Waterfall::system)},
      {"base_system", of_loss(&Waterfall::base_system)},
      {"kind", [](const Row& r) { return r.is_predicted ? "predicted" : "measured"; }},
      {"total", of_its(&Row::kept, &Losses::total)}};
  for (const Factor& factor : factors)
    columns.emplace_back(factor.name, of_its(&Row::kept, factor.kept));
  columns.insert(
      columns.end(),
      {{"granularity", if_predicted(&StepLosses::granularity)},
       {"communication", if_predicted(&StepLosses::communication)},
       {"waiting", if_predicted(&StepLosses::waiting)},
       {"server", [](const Row& r) { return r.is_predicted ? Value{} : Value{r.loss->server}; }}});
  std::vector<Row> rows;
  for (const Waterfall& loss : answer.losses) {
    rows.push_back({&loss, &loss.predicted, true});
    rows.push_back({&loss, &loss.measured, false});
  }
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
