#include <fmt/format.h>

#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Text such as `3 of them` if an axis varies the key, otherwise the base's value.
std::string swept_name(const Sweep& sweep, std::string_view key,
                       const std::optional<std::string>& base) {
  for (const Axis* axis : sweep.axes())
    if (axis->path == key) return fmt::format("{} of them", axis->values.size());
  return base.value_or("-");
}

std::string subject_of(const Sweep& sweep) {
  return sweep.base.model ? swept_name(sweep, "model", sweep.base.model)
                          : swept_name(sweep, "workload", sweep.base.workload);
}

}  // namespace

Listing list_sweeps(std::span<const Sweep> sweeps) {
  const TableColumns<Sweep> columns{
      {"name", &Sweep::name, left("sweep")},
      {"of", subject_of, left("of"), "model or workload that the sweep is of"},
      {"points", &Sweep::points, right("points"), "points of the grid"},
      {"title", &Sweep::title, left("what it asks")}};
  return listing_of(columns, sweeps);
}

}  // namespace report
}  // namespace tofn
