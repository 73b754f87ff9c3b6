#include <algorithm>
#include <tuple>

#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {

Listing list_launchers(std::span<const Launcher> launchers, std::span<const std::string> written) {
  std::vector<Launcher> sorted(launchers.begin(), launchers.end());
  std::ranges::sort(sorted, [](const Launcher& a, const Launcher& b) {
    return std::tie(b.is_read, a.name) < std::tie(a.is_read, b.name);  // those that are read first
  });
  using Row = Launcher;
  const auto files = [=](const Row& launcher) -> std::string {
    const bool is_written = std::ranges::find(written, launcher.name) != written.end();
    return !launcher.is_read ? "not read" : is_written ? "read, written" : "read";
  };
  const auto base = [](const Row& launcher) {
    return launcher.bases.empty() ? std::string() : launcher.bases.front();
  };
  const TableColumns<Row> columns{
      {"name", &Row::name, left("launcher")},
      {"files", files, left("files"), "whether launch files are read, and written"},
      {"stack", &Row::stack, left("stack"),
       "stack of `tofn list stacks` that runs what the launcher launches"},
      {"based_on", base, left("based on"), "launcher whose keys this one has too"},
      {"keys", [](const Row& launcher) { return static_cast<double>(launcher.keys.size()); },
       right("keys"), "number of keys that are understood"},
      {"version", &Row::version, "repository and commit in which the launcher's keys were read"},
      {"description", &Row::description, left("")}};
  return listing_of(columns, sorted);
}

}  // namespace report
}  // namespace tofn
