#include <fmt/format.h>

#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

/// `bert, llama2_70b_lora, ...` where an axis varies it, else what the base says.
std::string swept_name(const Sweep& sweep, std::string_view key,
                       const std::optional<std::string>& base) {
  for (const Axis* axis : sweep.axes())
    if (axis->path == key) return fmt::format("{} of them", axis->values.size());
  return base.value_or("-");
}

}  // namespace

Listing list_sweeps(std::span<const Sweep> sweeps) {
  TextTable table(
      {{"sweep", Align::Left}, {"of", Align::Left}, {"points"}, {"what it asks", Align::Left}});
  struct Row {
    const Sweep* sweep;
    std::string of;
  };
  std::vector<Row> rows;
  for (const Sweep& sweep : sweeps) {
    std::string of = sweep.base.model ? swept_name(sweep, "model", sweep.base.model)
                                      : swept_name(sweep, "workload", sweep.base.workload);
    table.add({sweep.name, of, fmt::format("{}", sweep.points()), sweep.title});
    rows.push_back({&sweep, std::move(of)});
  }
  const Columns<Row> columns{{"name", of_its(&Row::sweep, &Sweep::name)},
                             {"of", &Row::of},
                             {"points", of_its(&Row::sweep, &Sweep::points)},
                             {"title", of_its(&Row::sweep, &Sweep::title)}};
  return {.text = table.render(), .records = records_of(columns, rows)};
}

}  // namespace report
}  // namespace tofn
