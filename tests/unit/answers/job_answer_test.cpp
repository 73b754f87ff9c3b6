#include "sim/answers/job_answer.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a batch in tokens is a power of two of samples where people round one") {
  CHECK(batch_samples(16e6, 8192) == 2048);  // 2^24 tokens
  CHECK(batch_samples(4e6, 4096) == 1024);   // 2^22
  CHECK(batch_samples(4'194'304, 2048) == 2048);
  CHECK(batch_samples(1.5e6, 2048) == 732);  // no power is near 732.4
  CHECK(batch_samples(100, 2048) == 1);
}
