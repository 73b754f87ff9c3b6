#include "sim/answers/quote_answer.hpp"

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_quote.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("steps are held against a quoted time where the quote says how many they were") {
  Library library = Library::load(configs);
  Quote uncounted = load_quote(configs / "quotes/gpt3-v100.yaml");
  uncounted.run.time = Sourced<Seconds>{Seconds{14.8 * 86400}, "the test"};
  REQUIRE_FALSE(uncounted.run.phases.at(0).steps);
  Quote counted = uncounted;
  counted.run.phases[0].steps = 94'000;
  const auto both = simulate_quotes({uncounted, counted}, library, configs,
                                    find_kernel_profile(configs, "megatron-core"));
  const auto tells_steps = [](const SimulatedQuote& quote) {
    return std::any_of(quote.remarks.begin(), quote.remarks.end(), [](const std::string& remark) {
      return remark.starts_with("steps alone take");
    });
  };
  CHECK_FALSE(tells_steps(both[0]));
  CHECK(tells_steps(both[1]));
}

// A pass forward, again, and a backward of two: four passes for three, except for the output layer.
TEST_CASE("a quoted rate that counts recomputation is held against four passes for three") {
  Library library = Library::load(configs);
  const Quote counted = load_quote(configs / "quotes/megatron-1t.yaml");
  REQUIRE(counted.counts_recomputation);
  Quote plain = counted;
  plain.counts_recomputation = false;
  const auto both = simulate_quotes({counted, plain}, library, configs,
                                    find_kernel_profile(configs, "megatron-core"));
  CHECK(both[0].measure == "of the peak, with recomputation");
  CHECK(both[1].measure == "of the peak");
  const double factor = both[0].simulated / both[1].simulated;
  CHECK(factor > 1.31);
  CHECK(factor < 4.0 / 3);
}

TEST_CASE("a batch beside the quoted one is told where it is another") {
  Library library = Library::load(configs);
  const KernelProfile stack = find_kernel_profile(configs, "megatron-core");
  const Quote whole = load_quote(configs / "quotes/megatron-1t.yaml");
  Quote odd = whole;
  odd.run.phases.front().batch += 1;
  for (const SimulatedQuote& each : simulate_quotes({whole, odd}, library, configs, stack)) {
    const bool is_reported =
        std::any_of(each.remarks.begin(), each.remarks.end(), [](const std::string& remark) {
          return remark.starts_with("simulated on") && remark.find(", batch ") != std::string::npos;
        });
    CHECK(is_reported == (each.batch != each.quote.run.phases.front().batch));
  }
}
