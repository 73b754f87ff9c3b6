
#include "sim/expense/expense.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr Seconds month = Seconds(30 * 24 * 3600.0);

}  // namespace

TEST_CASE("the usual goodput is what usual interruptions leave") {
  const Interruptions typical{.mean_between = default_time_to_failure / 4096,
                              .checkpoint = default_checkpoint,
                              .restart = default_restart};
  CHECK_THAT(default_goodput(4096, month).expected,
             WithinRel(month / interrupted(month, typical).expected, 1e-12));
}

TEST_CASE("goodput falls with accelerators, and is least sure where it is low") {
  Goodput last;
  double width = 0;
  for (const int accelerators : {8, 64, 512, 4096, 16384}) {
    const Goodput next = default_goodput(accelerators, month);
    CHECK(next.low < next.expected);
    CHECK(next.expected < next.high);
    CHECK(next.high < last.high);
    CHECK(next.expected < last.expected);
    CHECK(next.high - next.low > width);
    CHECK(next.low >= 0);
    width = next.high - next.low;
    last = next;
  }
}
