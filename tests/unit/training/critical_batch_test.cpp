#include "sim/training/critical_batch.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("the critical batch of Chinchilla, by hand") {
  // 70e9 parameters, 1.4e12 tokens: 406.4 / 4,863 = 0.0836, 410.7 / 2,515 = 0.1633, a loss
  // of 1.937; 1.9367^4.762 = 23.28.
  CHECK_THAT(critical_batch_tokens(70e9, 1.4e12), WithinRel(2.1e8 / 23.28, 0.001));
}

TEST_CASE("at the critical batch half of the tokens are its price") {
  CHECK_THAT(batch_price(9e6, 9e6), WithinRel(0.5, 1e-12));
  CHECK_THAT(batch_price(1e6, 9e6), WithinRel(0.1, 1e-12));
  CHECK(batch_price(0, 9e6) == 0);
}

TEST_CASE("longer trainings of larger models stand larger batches") {
  CHECK(critical_batch_tokens(70e9, 2e12) > critical_batch_tokens(70e9, 1e12));
  CHECK(critical_batch_tokens(70e9, 1e12) > critical_batch_tokens(7e9, 1e12));
}
