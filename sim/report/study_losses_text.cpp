#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/report/study_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
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

constexpr const char* losses_legend =
    "  total: T_8 x 8 / (T_N x N), the product of samples to target, step per sample, evaluation,\n"
    "  start-up and score (the benchmark's rule, what was not logged); of step: granularity (cost\n"
    "  that does not shrink with the samples of a step), exposed communication, the wait for the\n"
    "  slowest node; server: measured over predicted step, another server than the base's and "
    "what\n"
    "  the prediction misses; *: the measured steps hold evaluations that were not logged apart\n";

std::vector<Value> record_of(const Waterfall& loss, const char* kind, const Losses& kept) {
  std::vector<Value> cells{
      loss.workload, loss.accelerator, static_cast<long long>(loss.accelerators),
      loss.system,   loss.base_system, std::string(kind),
      kept.total};
  for (const Factor& factor : factors) cells.emplace_back(kept.*factor.kept);
  return cells;
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
    add(table,
        {fitted(loss.workload, 16), fmt::format("{}", loss.accelerators),
         fitted(loss.base_system, 22), "predicted"},
        loss.predicted,
        {share(loss.predicted_step.granularity), share(loss.predicted_step.communication),
         share(loss.predicted_step.waiting), ""});
    add(table, {"  " + fitted(loss.system, 26), "", "", "measured" + mark}, loss.measured,
        {"", "", "", share(loss.server)});
  }
  return table.render() + losses_legend + "\n";
}

Records loss_records(const StudyAnswer& answer) {
  Records records{.columns = {"benchmark", "accelerator", "accelerators", "system", "base_system",
                              "kind", "total"},
                  .rows = {}};
  for (const Factor& factor : factors) records.columns.emplace_back(factor.name);
  for (const char* name : {"granularity", "communication", "waiting", "server"})
    records.columns.emplace_back(name);
  for (const Waterfall& loss : answer.losses) {
    auto& predicted = records.rows.emplace_back(record_of(loss, "predicted", loss.predicted));
    predicted.insert(predicted.end(),
                     {loss.predicted_step.granularity, loss.predicted_step.communication,
                      loss.predicted_step.waiting, Value{}});
    auto& measured = records.rows.emplace_back(record_of(loss, "measured", loss.measured));
    measured.insert(measured.end(), {Value{}, Value{}, Value{}, loss.server});
  }
  return records;
}

}  // namespace tofn
