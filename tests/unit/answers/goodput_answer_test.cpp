#include "sim/answers/goodput_answer.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::vector<StatedGoodput> goodputs(const std::string& rows) {
  const TemporaryFile file("runs.csv", "run,gpus,gpu_hours,goodput\n" + rows);
  return goodput_answer(file.path());
}

}  // namespace

TEST_CASE("stated goodputs stand beside the usual ones; a bound is held by what reaches it") {
  const auto found = goodputs("a,512,360000,0.988\nb,16384,,>0.9\nc,1024,811008,0.59\nd,8,100,\n");
  REQUIRE(found.size() == 3);
  CHECK(found[0].is_held());
  CHECK(found[1].is_bound);
  CHECK(found[1].stated == 0.9);
  CHECK(found[1].is_held());
  CHECK(found[1].typical.expected ==
        default_goodput(16384, Seconds(0.9 * 30 * 24 * 3600)).expected);
  CHECK_FALSE(found[2].is_held());
}

TEST_CASE("a goodput that is no share is refused") {
  CHECK_THROWS_WITH(goodputs("a,512,1,97\n"),
                    ContainsText("goodput: expected a number above 0 and at most 1"));
  CHECK_THROWS_WITH(goodputs("a,512,1,much\n"),
                    ContainsText("goodput: expected a number above 0 and at most 1, got 'much'"));
  CHECK_THROWS_WITH(goodputs("a,,1,0.9\n"), ContainsText("gpus: is empty, but needed"));
}
