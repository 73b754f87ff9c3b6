#include "sim/answers/candidate_search.hpp"
#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("sizes of one cluster that one reason leaves out are told of once") {
  LeftOutSizes left_out;
  CHECK(left_out.count() == 0);
  for (const int size : {16, 8, 16}) left_out.add("mi355x", size, "no price is known");
  left_out.add("mi355x", 32, "no plan fits the memory");
  for (const int size : {8, 16, 32, 64, 48}) left_out.add("dgx-h100", size, "no price is known");
  CHECK(left_out.count() == 8);
  CHECK(left_out.first() == "mi355x, N = 16: no price is known");
  CHECK(left_out.words() ==
        std::vector<std::string>{"mi355x, N = 8 and 16: no price is known",
                                 "mi355x, N = 32: no plan fits the memory",
                                 "dgx-h100, N = 8 to 64 (5 sizes): no price is known"});
}

TEST_CASE("what was tried at a size is told of with it, and apart from what else was") {
  LeftOutSizes left_out;
  left_out.add("dgx-h100", 8, "no plan fits the memory", "1 step off");
  left_out.add("dgx-h100", 16, "no plan fits the memory");
  CHECK(left_out.words() ==
        std::vector<std::string>{"dgx-h100, N = 8, 1 step off: no plan fits the memory",
                                 "dgx-h100, N = 16: no plan fits the memory"});
}
