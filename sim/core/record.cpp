#include "sim/core/record.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tofn {
namespace {

constexpr auto collective = std::to_array<std::string_view>(
    {"operation", "backend", "library", "memory", "type", "size_bytes", "group", "group_ranks",
     "group_nodes", "groups", "in_place", "cuda_graph", "registered"});
/// A product of m x k by k x n.
constexpr auto gemm = std::to_array<std::string_view>({"device", "library", "type", "m", "n", "k"});
constexpr auto memory = std::to_array<std::string_view>({"device", "pattern", "size_bytes"});
constexpr auto launch = std::to_array<std::string_view>({"device", "mode"});
/// A product while a collective runs beside it.
constexpr auto slowdown =
    std::to_array<std::string_view>({"device", "library", "type", "m", "n", "k", "beside",
                                     "type_beside", "size_bytes_beside", "ranks"});
constexpr auto step =
    std::to_array<std::string_view>({"workload", "plan", "backend", "ranks", "nodes",
                                     "samples_per_rank", "scale", "bucket_bytes", "overlap"});

constexpr std::array<RecordKind, 6> kinds{{{"collective", collective},
                                           {"gemm", gemm},
                                           {"memory", memory},
                                           {"launch", launch},
                                           {"slowdown", slowdown},
                                           {"step", step}}};

}  // namespace

std::span<const RecordKind> record_kinds() { return kinds; }

const RecordValue* parameter(const RecordPoint& point, std::string_view name) {
  const auto found =
      std::ranges::find_if(point.parameters, [&](const auto& pair) { return pair.first == name; });
  return found == point.parameters.end() ? nullptr : &found->second;
}

std::string percent_within(double share) {
  constexpr double most = 9.99;
  return share > most ? fmt::format("over {:.0f}", 100 * most) : fmt::format("{:.1f}", 100 * share);
}

bool is_of_stand_in(const Record& record) {
  const auto is_marked = [](const auto& row) { return row.first == stand_in_key; };
  const auto is_named = [](const std::string& device) {
    return device.starts_with("stand-in for a GPU");
  };
  return std::ranges::any_of(record.provenance, is_marked) ||
         std::ranges::any_of(record.hosts, [&](const RecordHost& host) {
           return std::ranges::any_of(host.devices, is_named);
         });
}

}  // namespace tofn
