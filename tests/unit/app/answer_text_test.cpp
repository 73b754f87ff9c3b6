// What people read of an answer is what machines read of it.
#include <regex>
#include <sstream>

#include "sim/app/answered.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

struct PartRow {
  std::string title;
  double milliseconds = 0;
  double percent = 0;
  double low = 0;
  double high = 0;
};

/// `compute   57.081  71.8 51.564-62.640 extrapolated`
std::vector<PartRow> part_rows(const std::string& text) {
  static const std::regex row(R"(^(\S.*?) +([\d.]+) +([\d.]+) +([\d.]+)-([\d.]+) [a-z]+$)");
  std::vector<PartRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("communication ") != std::string::npos) break;
    std::smatch match;
    if (std::regex_match(line, match, row))
      rows.push_back({match[1], std::stod(match[2]), std::stod(match[3]), std::stod(match[4]),
                      std::stod(match[5])});
  }
  return rows;
}

}  // namespace

TEST_CASE("the parts of a step that are printed make it up, and none of them is nothing") {
  for (const char* workload : {"bert", "retinanet", "llama2_70b_lora"}) {
    INFO(workload);
    const auto rows = part_rows(answered({.command = "predict",
                                          .arguments = {workload, "dgx-h100"},
                                          .options = {{"accelerators", 64}}})
                                    .answer.text);
    REQUIRE(rows.size() >= 4);
    CHECK(rows.back().title == "step");
    CHECK(rows.back().percent == 100);
    double milliseconds = 0;
    double percent = 0;
    for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
      CHECK(rows[i].milliseconds > 0);
      CHECK(rows[i].low <= rows[i].milliseconds);
      CHECK(rows[i].milliseconds <= rows[i].high);
      milliseconds += rows[i].milliseconds;
      percent += rows[i].percent;
    }
    CHECK_THAT(milliseconds, WithinRel(rows.back().milliseconds, 1e-4));
    CHECK_THAT(percent, WithinAbs(100, 0.4));
  }
}
