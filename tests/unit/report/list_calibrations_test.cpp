#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "sim/config/library.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/list_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

const Listing& shipped_listing() {
  static Shipped shipped(configs);
  static const Listing listing = list_calibrations(shipped.calibration());
  return listing;
}

std::size_t column_of(const Records& records, const std::string& name) {
  const auto found = std::find(records.columns.begin(), records.columns.end(), name);
  REQUIRE(found != records.columns.end());
  return static_cast<std::size_t>(found - records.columns.begin());
}

}  // namespace

TEST_CASE("an overhead is the same in the table and in the CSV, in ms") {
  const auto& [text, records] = shipped_listing();
  const std::size_t overhead = column_of(records, "overhead_ms");
  const std::size_t learned = column_of(records, "overhead_was_learnt");
  std::size_t line = text.find("\nbert") + 1;  // after the heads
  int seen = 0;
  for (const auto& row : records.rows) {
    const std::string printed = text.substr(line, text.find('\n', line) - line);
    line += printed.size() + 1;
    const auto* const own = std::get_if<double>(&row[overhead]);
    if (own == nullptr) continue;
    INFO(printed);
    ++seen;
    CHECK(printed.starts_with(std::get<std::string>(row[0])));
    const bool is_learned = std::get<long long>(row[learned]) == 1;
    const std::string mark = is_learned ? " " : "+";
    CHECK_THAT(printed, ContainsText(fmt::format(" {:.2f}{}", *own, mark)));
  }
  CHECK(seen > 10);
}

TEST_CASE("what overlapped traffic costs is said of the workloads whose runs taught it") {
  Shipped shipped(configs);
  std::size_t learned = 0;
  for (const WorkloadCalibration& workload : shipped.calibration().workloads())
    for (const AcceleratorFit& fit : workload.accelerators)
      if (fit.steps.learned == Learned::OverlapLoss) {
        ++learned;
        CHECK_THAT(shipped_listing().text,
                   ContainsText(fmt::format(
                       "\n{}: {:.0f} % of the overlapped tensor-parallel traffic costs time\n",
                       workload.workload->name, fit.steps.overlap_loss * 100)));
      }
  CHECK(learned > 0);
  std::size_t stated = 0;
  for (std::size_t at = 0;
       (at = shipped_listing().text.find("overlapped tensor", at + 1)) != std::string::npos;)
    ++stated;
  CHECK(stated == learned);
}

TEST_CASE("how servers differ is said where systems tell it") {
  const Calibration nothing{std::vector<Observation>{}};
  CHECK(list_calibrations(nothing).text.find("equal servers differ") == std::string::npos);
  CHECK(shipped_listing().text.find("equal servers differ") != std::string::npos);
}

TEST_CASE("a release of an accelerator is one row of its workload") {
  const Records& records = shipped_listing().records;
  std::set<std::vector<std::string>> seen;
  for (const auto& row : records.rows) {
    std::vector<std::string> names;
    for (const char* name : {"workload", "accelerator", "release"}) {
      const auto* text = std::get_if<std::string>(&row[column_of(records, name)]);
      names.push_back(text == nullptr ? "" : *text);
    }
    INFO(fmt::format("{} {} {}", names[0], names[1], names[2]));
    CHECK(seen.insert(names).second);
  }
}
