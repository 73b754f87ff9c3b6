#include "sim/parallelism/run_settings.hpp"

#include <cstddef>

namespace tofn {
inline namespace parallelism {
namespace {

std::optional<int> months(std::string_view release) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (release.size() != 5 || release[2] != '.') return {};
  for (const std::size_t place : {0U, 1U, 3U, 4U})
    if (!is_digit(release[place])) return {};
  const int year = (release[0] - '0') * 10 + (release[1] - '0');
  const int month = (release[3] - '0') * 10 + (release[4] - '0');
  if (month < 1 || month > 12) return {};
  return year * 12 + month;
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

}  // namespace parallelism
}  // namespace tofn
