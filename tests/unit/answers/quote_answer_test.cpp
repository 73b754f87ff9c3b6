#include "sim/answers/quote_answer.hpp"

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_quote.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

// Forward, again, and twice that backward: four passes for three, of all but the output layer.
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
