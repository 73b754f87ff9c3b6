#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/report/notes.hpp"
#include "sim/report/study_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

struct Factor {
  const char* name;
  const char* head;
  double Losses::*kept;
  const char* meaning;
};
constexpr std::array factors{
    Factor{"samples", "samples", &Losses::samples,
           "share of the linear speedup that is kept where more samples are needed"},
    Factor{"step", "step", &Losses::step, "share kept by steps"},
    Factor{"evaluation", "eval.", &Losses::evaluation, "share kept by evaluations"},
    Factor{"start_up", "start", &Losses::start_up, "share kept by the start-up"},
    Factor{"score", "score", &Losses::score, "share kept by the rule for lucky convergence"}};

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

std::vector<KindOfLoss> kinds_of(std::span<const Waterfall> losses) {
  std::vector<KindOfLoss> rows;
  for (const Waterfall& loss : losses) {
    rows.push_back({&loss, &loss.predicted, true});
    rows.push_back({&loss, &loss.measured, false});
  }
  return rows;
}

template <class Figure>
auto of_loss(Figure figure) {
  return of_its(&KindOfLoss::loss, figure);
}
Value share_of(const KindOfLoss& row, double StepLosses::*kept) {
  return row.is_predicted ? Value{row.loss->predicted_step.*kept} : Value{};
}

/// `is_whole`: with systems and the parts of a step.
TableColumns<KindOfLoss> loss_columns(bool is_whole) {
  using Row = KindOfLoss;
  const auto name = [=](const Row& r) {
    if (r.is_predicted) return r.loss->workload;
    return is_whole ? "  " + r.loss->system : std::string();
  };
  const auto size = [](const Row& r) {
    return r.is_predicted ? fmt::format("{}", r.loss->accelerators) : "";
  };
  const auto base = [](const Row& r) { return r.is_predicted ? r.loss->base_system : ""; };
  const auto kind = [](const Row& r) { return r.is_predicted ? "predicted" : "measured"; };
  const auto marked_kind = [=](const Row& r) {
    return fmt::format("{}{}", kind(r),
                       is_whole && !r.is_predicted && !r.loss->evaluations_apart ? "*" : "");
  };
  TableColumns<Row> columns{
      {"benchmark", of_loss(&Waterfall::workload), left("efficiency kept from 8", name)},
      {"accelerator", of_loss(&Waterfall::accelerator)},
      {"accelerators", of_loss(&Waterfall::accelerators), right("N", size)},
      {"system", of_loss(&Waterfall::system)},
      {"base_system", of_loss(&Waterfall::base_system), left("base", base),
       "system that losses are against"},
      {"kind", kind, left("", marked_kind), "measured or predicted"},
      {"total", of_its(&Row::kept, &Losses::total), right("total", "{:.3f}"),
       "share of the linear speedup that is kept: product of the factors"}};
  for (const Factor& factor : factors)
    columns.push_back({factor.name, of_its(&Row::kept, factor.kept), right(factor.head, "{:.3f}"),
                       factor.meaning});
  const auto add = [&](const char* column, const char* head, auto value, const char* meaning) {
    columns.push_back({column, value, right_or_blank(head, value, "{:.3f}"), meaning});
  };
  const auto of_step = [](double StepLosses::*kept) {
    return [kept](const Row& r) { return share_of(r, kept); };
  };
  add("granularity", "gran.", of_step(&StepLosses::granularity),
      "share kept of small batches' compute");
  add("communication", "comm.", of_step(&StepLosses::communication), "share kept by communication");
  add("waiting", "wait", of_step(&StepLosses::waiting), "share kept by waiting for others");
  add(
      "server", "server",
      [](const Row& r) { return r.is_predicted ? Value{} : Value{r.loss->server}; },
      "share kept by another server");
  return columns;
}

}  // namespace

std::string losses_text(std::span<const Waterfall> losses) {
  if (losses.empty()) return "";
  return table_text(loss_columns(true), kinds_of(losses)) + losses_legend() + "\n";
}

std::string largest_losses_text(std::span<const Waterfall> losses) {
  if (losses.empty()) return "";
  std::vector<KindOfLoss> rows;
  for (std::size_t i = 0; i < losses.size(); ++i)
    if (i + 1 == losses.size() || losses[i + 1].workload != losses[i].workload)
      for (const KindOfLoss& row : kinds_of(losses.subspan(i, 1))) rows.push_back(row);
  return table_text(loss_columns(false), rows, {"base", "gran.", "comm.", "wait", "server"}) + '\n';
}

ExplainedRecords loss_records(const StudyAnswer& answer) {
  return records_of(loss_columns(true), kinds_of(answer.losses));
}

}  // namespace report
}  // namespace tofn
