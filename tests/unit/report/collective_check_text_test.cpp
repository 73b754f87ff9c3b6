#include <fmt/format.h>

#include "sim/report/collective_check_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

TEST_CASE("a second cause is told where it is half as likely as the first") {
  const auto cause_of = [](double first, double second) {
    JudgedTable judged;
    judged.judgement.likely = {{&causes()[0], first}, {&causes()[1], second}};
    return cause_text(judged);
  };
  const std::string likeliest(causes()[0].sentence);
  CHECK(cause_of(0.6, 0.4) ==
        fmt::format("{}; or (40 to 60 %) {}", likeliest, causes()[1].sentence));
  CHECK(cause_of(0.6, 0.25) == likeliest);
}

TEST_CASE("rows of a check are in microseconds") {
  JudgedTable judged;
  judged.table.file = "a.txt";
  ScoredRow& row = judged.judgement.rows.emplace_back().scored;
  row.ranks = 8;
  row.size = Bytes{1e6};
  row.measured = 25_us;
  row.predicted = 20_us;
  row.low = 10_us;
  row.high = 34500_us;
  const std::string text = collective_check_text({judged});
  CHECK_THAT(text, ContainsText(" 25 "));
  CHECK_THAT(text, ContainsText(" 20 "));
  CHECK_THAT(text, ContainsText("10-34500"));
}
