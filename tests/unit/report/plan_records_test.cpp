#include <algorithm>
#include <string>
#include <variant>

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/page/read_table.hpp"
#include "sim/report/plan_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Value& plan_cell(const Records& records, const char* column, std::size_t row) {
  const auto& columns = records.columns;
  const auto at = std::find(columns.begin(), columns.end(), column);
  INFO(column);
  REQUIRE(at != columns.end());
  return records.rows.at(row).at(static_cast<std::size_t>(at - columns.begin()));
}

long long marked(const Records& records, const char* column) {
  long long count = 0;
  for (std::size_t row = 0; row < records.rows.size(); ++row)
    count += std::get<long long>(plan_cell(records, column, row));
  return count;
}

Records plan_records_within(std::vector<RunLimit> limits) {
  static const Library library = Library::load(configs);
  static const KernelProfile stack = find_kernel_profile(configs, "unknown");
  StatedRun run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  const RunSearch request{.runs = {run},
                          .offers = {{*library.find_cluster("dgx-h100"), {64, 128}, false}},
                          .profile = stack,
                          .limits = std::move(limits)};
  return plan_records(request, run_choice(request));
}

}  // namespace

TEST_CASE("rows of a plan hold what a page of it draws: question, limits, the best") {
  const Records records = plan_records_within(
      {{"deadline", &RunFigures::days, 900}, {"budget", &RunFigures::usd, 1e9}});
  CHECK(std::get<std::string>(plan_cell(records, "question", 1)) ==
        "llama3-8b, 2T tokens: least time within 900 days and 1B USD, with 90 % confidence");
  CHECK(plan_cell(records, "days_limit", 0) == Value{900.0});
  CHECK(plan_cell(records, "cost_usd_limit", 1) == Value{1e9});
  CHECK(plan_cell(records, "energy_kwh_limit", 0) == Value{});
  CHECK(marked(records, "is_best") == 1);
  CHECK(marked(records, "is_nearest") == 0);
  CHECK(page_table(records, "plan.json").kind->name == "plan");
}

TEST_CASE("where no plan keeps the limits, one row is the nearest") {
  const Records records = plan_records_within({{"deadline", &RunFigures::days, 0.01}});
  CHECK(marked(records, "is_best") == 0);
  CHECK(marked(records, "is_nearest") == 1);
  CHECK(plan_cell(records, "days_limit", 0) == Value{0.01});
}

TEST_CASE("rows of a plan say what takes the place of software that is not known") {
  const Records records = plan_records_within({});
  for (std::size_t row = 0; row < records.rows.size(); ++row)
    CHECK(std::get<std::string>(plan_cell(records, "substituted", row)) ==
          "the average of all frameworks, with their spread (--stack)");
}
