#include <fmt/format.h>

#include "sim/report/collective_check_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;

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
