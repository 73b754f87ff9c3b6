#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/compare_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/temporary_folder.hpp"

// A workload that MLPerf adds is one file: the rest, a model and a plan, ships.

using namespace tofn;
using namespace tofn::test;

namespace {

const std::filesystem::path new_workload =
    std::filesystem::path(TOFN_SOURCE_DIR) / "tests/validation/data/new-workload/flux1.yaml";

/// The shipped files, but of workloads the new one alone.
void make_configs(const std::filesystem::path& folder) {
  for (const auto& each : std::filesystem::directory_iterator(configs))
    if (each.path().filename() != "workloads")
      std::filesystem::create_symlink(each.path(), folder / each.path().filename());
  std::filesystem::create_directory(folder / "workloads");
  std::filesystem::copy_file(new_workload, folder / "workloads/flux1.yaml");
}

/// Errors of the held-out runs by their system.
std::map<std::string, double> errors_of(const std::filesystem::path& folder, CalibrationRule rule) {
  Shipped shipped(folder);
  const auto table = shipped.resolved(folder / "published/mlperf-training-v5.1.csv");
  std::map<std::string, double> errors;
  for (const BacktestRow& row : backtest(table, {}, {.rule = rule}))
    if (row.workload == "flux1" && is_scored(row))
      if (const auto found = row_errors(row))
        errors.emplace(row.row.full_name(), std::abs(found->time));
  return errors;
}

}  // namespace

TEST_CASE("a new MLPerf workload is one file of 40 lines, which its one-domain rows correct") {
  std::ifstream file(new_workload);
  std::string line;
  int lines = 0;
  while (std::getline(file, line)) ++lines;
  CHECK(lines <= 40);
  const TemporaryFolder folder;
  make_configs(folder.path());
  const auto by_dimensions = errors_of(folder.path(), CalibrationRule::None);
  std::vector<double> before, after;
  for (const auto& [system, error] : errors_of(folder.path(), CalibrationRule::OneNode)) {
    before.push_back(by_dimensions.at(system));
    after.push_back(error);
  }
  REQUIRE(after.size() == 11);
  CAPTURE(mean(before), mean(after));
  CHECK(mean(after) < mean(before) / 2);
}
