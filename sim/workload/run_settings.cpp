#include "sim/workload/run_settings.hpp"

#include "sim/core/quantity_text.hpp"

namespace tofn {
namespace {

std::optional<int> months(std::string_view release) {
  long long year = 0;
  long long month = 0;
  if (release.size() != 5 || release[2] != '.' || !parse_integer(release.substr(0, 2), year) ||
      !parse_integer(release.substr(3), month))
    return {};
  return static_cast<int>(year * 12 + month);
}

}  // namespace

std::string_view to_text(CudaGraphs graphs) {
  return cuda_graph_names[static_cast<std::size_t>(graphs)].first;
}

std::optional<int> months_between(std::string_view from, std::string_view to) {
  const auto first = months(from);
  const auto second = months(to);
  if (!first || !second) return {};
  return *second - *first;
}

}  // namespace tofn
