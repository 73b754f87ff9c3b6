#include "sim/answers/run_batch.hpp"

#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

StatedRun run_of(double tokens, double sequence_length) {
  StatedRun run{.name = "toy", .phases = {{.model = toy_model()}}};
  run.phases[0].model.sequence_length = static_cast<int>(sequence_length);
  run.phases[0].stretches = {{1, tokens / sequence_length}};
  return run;
}

}  // namespace

// The critical batch is 22.91 x tokens^0.47 x 5 tokens: 28.5M for 300 billion, 182M for 15.6
// trillion.
TEST_CASE("the usual batch is a power of two that costs up to a tenth of the critical one") {
  CHECK(default_batch(run_of(300e9, 2048)) == 1024);    // GPT-3 used 1,536
  CHECK(default_batch(run_of(180e9, 2048)) == 1024);    // OPT-175B used 1,024
  CHECK(default_batch(run_of(2e12, 4096)) == 1024);     // Llama 2 used 1,024
  CHECK(default_batch(run_of(15.6e12, 8192)) == 2048);  // Llama 3.1 405B used 2,048
  CHECK(default_batch(run_of(10e9, 4096)) == 128);
  CHECK(default_batch(run_of(1e6, 8192)) == 1);
  StatedRun stated = run_of(2e12, 4096);
  stated.critical_batch = Amount{1000, Counted::Samples};
  CHECK(default_batch(stated) == 64);
  StatedRun step = run_of(4096, 4096);
  step.is_one_step = true;
  CHECK(default_batch(step) == 1024);
}

TEST_CASE("an even batch is a multiple of the accelerators or of half, a quarter, ... of them") {
  using Batches = std::vector<double>;
  CHECK(even_batches(1024, 256) == Batches{1024});
  CHECK(even_batches(1024, 112) == Batches{1008});  // 9 for each
  CHECK(even_batches(1024, 224) == Batches{1008});  // 9 for every two
  CHECK(even_batches(512, 2048) == Batches{512});
  CHECK(even_batches(1024, 5128) == Batches{1282});  // 2 for each of 641; none nearer splits evenly
  for (int accelerators = 8; accelerators <= 5000; accelerators += 8) {
    int odd = accelerators;
    while (odd % 2 == 0) odd /= 2;
    for (const double even : even_batches(1024, accelerators)) CHECK(std::fmod(even, odd) == 0);
  }
}

// 6144 = 3 x 2^11 accelerators halve 1536 = 3 x 2^9 samples down to a third of one, and 1920 only
// down to 15.
TEST_CASE("between two doublings stands the batch that the accelerators' halvings split") {
  CHECK(split_batch(1024, {}, 6144) == 1536);
  CHECK(split_batch(2048, {}, 6144) == 3072);
  CHECK(split_batch(1024, {}, 512) == 1024);
  CHECK(split_batch(1024, {}, 100000) == std::nullopt);  // 3125 is beyond the next doubling
  CHECK(split_batch(2048, {}, 100000) == 3125);
  StatedPlan stated;
  stated.micro_batch = 2;
  CHECK(split_batch(1024, stated, 6144) == std::nullopt);
}

TEST_CASE("beside the nearest even batch stands the one whose shares halve most often") {
  using Batches = std::vector<double>;
  CHECK(even_batches(4096, 24) == Batches{4104, 3840});  // 171 each; 160 = 2^5 x 5
  CHECK(even_batches(4096, 48) == Batches{4080, 3840});  // 85; 80 = 2^4 x 5
  CHECK(even_batches(4096, 88) == Batches{4136, 4224});  // 47; 48 = 2^4 x 3
}

// A critical batch of 1,000 gives (1 + 500/1000) / (1 + 250/1000).
TEST_CASE("a larger batch takes the samples of the same loss, a smaller one what was asked for") {
  StatedRun run = run_of(512e6, 512);
  run.critical_batch = Amount{1000, Counted::Samples};
  run.phases[0].stretches[0].batch = 250;
  CHECK_THAT(to_same_loss(run, 500).tokens(), WithinRel(512e6 * 1.2, 1e-9));
  CHECK(to_same_loss(run, 500).phases[0].last_batch() == 500);
  CHECK(to_same_loss(run, 200).tokens() == 512e6);
  CHECK(at_batch(run, 500).tokens() == 512e6);
  // Tokens have four digits: (1 + 510/1000) / 1.25 makes 618.496 million.
  CHECK_THAT(to_same_loss(run, 510).tokens(), WithinRel(618.5e6, 1e-12));
}

TEST_CASE("the batch that was asked for takes the samples that were asked for, to the last digit") {
  StatedRun run = run_of(512345678, 512);
  run.critical_batch = Amount{1000, Counted::Samples};
  run.phases[0].stretches[0].batch = 250;
  CHECK(to_same_loss(run, 250).tokens() == run.tokens());
}
