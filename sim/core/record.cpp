#include "sim/core/record.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tofn {
namespace {

using Name = std::string_view;

constexpr std::array collective{Name{"operation"}, Name{"backend"},     Name{"library"},
                                Name{"memory"},    Name{"type"},        Name{"size_bytes"},
                                Name{"group"},     Name{"group_ranks"}, Name{"group_nodes"},
                                Name{"groups"},    Name{"in_place"},    Name{"cuda_graph"},
                                Name{"registered"}};
/// A product of m x k by k x n.
constexpr std::array gemm{Name{"device"}, Name{"library"}, Name{"type"},
                          Name{"m"},      Name{"n"},       Name{"k"}};
constexpr std::array memory{Name{"device"}, Name{"pattern"}, Name{"size_bytes"}};
constexpr std::array launch{Name{"device"}, Name{"mode"}};
/// A product while a collective runs beside it.
constexpr std::array slowdown{Name{"device"}, Name{"library"},     Name{"type"},
                              Name{"m"},      Name{"n"},           Name{"k"},
                              Name{"beside"}, Name{"type_beside"}, Name{"size_bytes_beside"},
                              Name{"ranks"}};
constexpr std::array step{Name{"workload"}, Name{"plan"},         Name{"backend"},
                          Name{"ranks"},    Name{"nodes"},        Name{"samples_per_rank"},
                          Name{"scale"},    Name{"bucket_bytes"}, Name{"overlap"}};

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
