#include "sim/published/quote.hpp"

#include "sim/config/load_quote.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const QuoteFacts facts{.peak = FlopsPerSecond{100e12},
                       .sample = Flops{1e12},
                       .recomputed_factor = 4.0 / 3,
                       .model_parallel = 1};

Quote quote_of(int accelerators, double batch) {
  Quote quote;
  quote.run.accelerators.value = accelerators;
  quote.run.phases.push_back({.model = "any", .precision = {}, .batch = batch, .steps = {}});
  return quote;
}

/// Quote that compares 64 accelerators with 4, at batches of `batch` and 128.
Quote compared(double batch, double speedup, double efficiency) {
  Quote quote = quote_of(64, batch);
  quote.reference = quote_of(4, 128).run;
  quote.speedup.emplace().value = speedup;
  quote.efficiency.emplace().value = efficiency;
  return quote;
}

bool is_stated(const Quote& quote, const std::string& words) {
  for (const std::string& remark : remarks_on(quote, facts))
    if (remark.find(words) != std::string::npos) return true;
  return false;
}

std::string refusal_of(const std::string& text) {
  const TemporaryFile file("quote.yaml", text);
  const std::string whole = refusal([&] { load_quote(file.path()); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

}  // namespace

TEST_CASE("the efficiency that a quote implies") {
  Quote rate = quote_of(10, 100);
  rate.rate.emplace().value = FlopsPerSecond{25e12};
  CHECK_THAT(quoted_efficiency(rate, facts).value(), WithinRel(0.25, 1e-12));
  Quote throughput = quote_of(10, 100);
  throughput.samples_per_second.emplace().value = 300;  // 300 TFLOP/s of 1000
  CHECK_THAT(quoted_efficiency(throughput, facts).value(), WithinRel(0.3, 1e-12));
  CHECK(quoted_efficiency(compared(2048, 12, 0.75), facts) == 0.75);
  CHECK_FALSE(quoted_efficiency(quote_of(10, 100), facts));
}

TEST_CASE("figures that were not read where they are said to stand say so") {
  Quote quote = quote_of(10, 100);
  CHECK_FALSE(is_stated(quote, "from memory"));
  quote.is_from_memory = true;
  CHECK(remarks_on(quote, facts).front() ==
        "its figures are cited from memory: the documents named were not at hand");
}

TEST_CASE("figures of a quote that contradict each other cannot be right") {
  Quote quote = quote_of(1000, 100);
  quote.rate.emplace().value = FlopsPerSecond{20e12};
  quote.time.emplace().value = Seconds{1e5};
  quote.work.emplace().value = Flops{2e21};  // 1000 x 20 TFLOP/s x 1e5 s
  CHECK(is_stated(quote, "the work agrees: 1000 accelerators x rate x time make 2 ZFLOP, 1.00 x"));
  quote.time->value = Seconds{2e5};
  CHECK(is_stated(quote,
                  "the work cannot be right: 1000 accelerators x rate x time make 4 ZFLOP, "
                  "2.00 x what is quoted"));
  quote.total_rate.emplace().value = FlopsPerSecond{30e15};
  CHECK(is_stated(quote, "the rate in all cannot be right"));
  quote.share_of_peak.emplace().value = 0.5;
  CHECK(
      is_stated(quote, "the share of the peak cannot be right: the rate is 20.0 % of 100 TFLOP/s"));
  quote.rate->value = FlopsPerSecond{120e12};
  CHECK(is_stated(quote, "cannot be right: 120.0 % of the peak of an accelerator"));
  quote.counts_recomputation = true;
  CHECK(is_stated(quote, "counts what recomputation does twice: 90.0 % of the peak goes"));
}

TEST_CASE("speedups and efficiencies of a quote are held against its times and sizes") {
  CHECK(is_stated(compared(2048, 12, 0.75),
                  "the efficiency agrees: 12 x by 16 x the accelerators make 75.0 %"));
  CHECK(is_stated(compared(2048, 12, 0.9), "the efficiency cannot be right"));
  Quote alone = compared(2048, 12, 0.75);
  alone.reference.reset();
  CHECK_FALSE(is_stated(alone, "the speedup"));
  Quote timed = compared(2048, 12, 0.75);
  timed.run.time.emplace().value = Seconds{100};
  timed.reference->time.emplace().value = Seconds{1200};
  CHECK(is_stated(timed, "the speedup agrees"));
  timed.run.time->value = Seconds{80};
  CHECK(is_stated(timed, "the speedup cannot be right: the times make 15.0"));
  // A batch of 128 on 4 is 32 samples each. As many on each of 64 is weak scaling, and fewer are
  // not.
  CHECK(is_stated(compared(2048, 12, 0.75), "is weak scaling: the batch grows 16 x"));
  CHECK_FALSE(is_stated(compared(1024, 12, 0.75), "weak"));
  CHECK(is_stated(compared(4096, 17.6, 1.1),
                  "each accelerator takes 64 samples a step and in the "
                  "reference 32"));
  CHECK(is_stated(compared(2048, 17.6, 1.1), "its batches do not explain it"));
  CHECK_FALSE(is_stated(compared(2048, 12, 0.75), "above 100 %"));
}

TEST_CASE("accelerators that are no whole replicas are said") {
  QuoteFacts of_a_split = facts;
  of_a_split.model_parallel = 96;
  Quote quote = quote_of(10'000, 1562);
  quote.plan = "split";
  REQUIRE(remarks_on(quote, of_a_split).size() == 1);
  CHECK(remarks_on(quote, of_a_split).front() ==
        "10000 accelerators are no whole number of replicas of 96, as plan split has them");
  quote.run.accelerators.value = 9984;
  CHECK(remarks_on(quote, of_a_split).empty());
}

TEST_CASE("a bad quote is refused at its place") {
  const std::string head = "name: a\ntitle: A\ncluster: c\nplan: p\n";
  CHECK(refusal_of(head + "run: {accelerators: 8, phases: []}\nquoted: {}\n") ==
        ":5:32: run.phases: needs at least one");
  CHECK(refusal_of(head + "run: {accelerators: 0, phases: [{model: m, batch: 8}]}\nquoted: {}\n") ==
        ":5:21: run.accelerators: must be at least 1");
  CHECK(refusal_of(head + "run: {accelerators: 8, phases: [{model: m, batch: 8}]}\nreference: "
                          "{accelerators: 4, phases: [{model: m, batch: 4}]}\nquoted: {}\n") ==
        ":1:1: has a reference, so each phase needs its steps");
  CHECK(refusal_of(head + "run: {accelerators: 8, phases: [{model: m, batch: 8}]}\nquoted: "
                          "{rate: 20}\n") ==
        ":6:16: quoted.rate: a unit is missing: expected a compute rate such as '989.4 TFLOP/s', "
        "got '20'");
  CHECK(refusal([] { load_quotes("/no/such/folder"); }) ==
        "/no/such/folder: is no .yaml file, nor a folder of them");
}
