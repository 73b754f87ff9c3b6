#include "sim/training/amount.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("an amount is a number and what it counts, and reads back") {
  CHECK(parse_amount("2T tokens") == Amount{2e12, Counted::Tokens});
  CHECK(parse_amount("9.765625M samples") == Amount{9765625, Counted::Samples});
  CHECK(parse_amount("1 step") == Amount{1, Counted::Steps});
  CHECK(parse_amount("90 epochs") == Amount{90, Counted::Epochs});
  for (const char* text :
       {"15.6T tokens", "4M tokens", "2.869748T tokens", "1 epoch", "512 samples", "1k steps"})
    CHECK(to_text(*parse_amount(text)) == text);
  for (const char* text :
       {"2T", "2T words", "tokens", "-1 steps", "0 steps", "2 T tokens", "2Ttokens", "2T  tokens",
        "nan tokens", "1e999 tokens", "2 token", "2T tokens "})
    CHECK_FALSE(parse_amount(text));
}

TEST_CASE("an amount in samples, by what it is counted against") {
  const SampleMeasure measure{.batch = 64, .sequence_length = 512, .epoch = 1000};
  CHECK(samples_of({5120, Counted::Tokens}, measure) == 10);
  CHECK(samples_of({10, Counted::Samples}, measure) == 10);
  CHECK(samples_of({10, Counted::Steps}, measure) == 640);
  CHECK(samples_of({3, Counted::Epochs}, measure) == 3000);
  CHECK(refusal([] {
          samples_of({1, Counted::Tokens}, {});
        }) == "samples of this model are no texts");
  CHECK(refusal([] {
          samples_of({1, Counted::Epochs}, {});
        }) == "the samples of an epoch are not stated");
}

TEST_CASE("a batch in tokens is a power of two of samples where people round one") {
  CHECK(batch_samples(16e6, 8192) == 2048);  // 2^24 tokens
  CHECK(batch_samples(4e6, 4096) == 1024);   // 2^22
  CHECK(batch_samples(4'194'304, 2048) == 2048);
  CHECK(batch_samples(1.5e6, 2048) == 732);  // no power of two is near 732.4
  CHECK(batch_samples(100, 2048) == 1);
}
