#include "microbench/collective/printed_table.hpp"

#include <fmt/format.h>

#include "microbench/harness/row_text.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

std::string headline(const CollectiveHeading& heading) {
  const Groups& groups = heading.groups;
  const std::string where =
      groups.count == 1 ? counted(groups.size, "rank") + " on " + counted(groups.nodes, "node")
                        : fmt::format("{} groups of {} ranks on {} at the same time", groups.count,
                                      groups.size, counted(groups.nodes, "node"));
  return fmt::format("# {}, {}, {}{}, {}: {}; {}, {} memory\n", heading.operation, heading.type,
                     heading.in_place ? "in place" : "out of place",
                     heading.is_cold ? ", cold" : "", heading.group, where, heading.library,
                     heading.memory);
}

long long whole(const RecordPoint& point, std::string_view name) {
  const RecordValue* value = parameter(point, name);
  return value == nullptr ? 0 : std::get<long long>(*value);
}

}  // namespace

std::string collective_table(const CollectiveHeading& heading,
                             std::span<const RecordPoint> points) {
  std::string text = headline(heading);
  text += fmt::format("# {:>12} {} {:>8} {:>8}  {}\n", "size", time_headings(), "algbw", "busbw",
                      "notes");
  text += fmt::format("# {:>12} {} {:>8} {:>8}\n", "(B)", time_units(), "(GB/s)", "(GB/s)");
  for (const RecordPoint& point : points)
    text += fmt::format("{:>14} {} {:>8} {:>8}  {}\n", whole(point, "size_bytes"),
                        time_columns(point), figure(point, "algorithm_bandwidth_gb_s"),
                        figure(point, "bus_bandwidth_gb_s"), notes(point));
  return text + '\n';
}

std::string left_out(const CollectiveHeading& heading, std::string_view why) {
  std::string text = headline(heading);
  text.pop_back();
  return fmt::format("{}: left out: {}\n\n", text, why);
}

}  // namespace tofn::bench
