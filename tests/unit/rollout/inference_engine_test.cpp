#include "sim/rollout/inference_engine.hpp"

#include "sim/config/library.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Decoder of 10 billion parameters, 40 branches, and 1 MB of 16-bit cache for a token.
Decoder toy_decoder(int head_groups = 4) {
  return {.hidden = 1000,
          .branches = 40,
          .parameters = 10e9,
          .attention = {{.layers = 20, .values = 25e3, .head_groups = head_groups, .flops = 1e6}}};
}

Cluster toy_cluster() {
  Cluster cluster = Library::load(configs).cluster("dgx-h100");
  cluster.accelerator.memory.value = Bytes{100e9};
  cluster.accelerator.memory_bandwidth.value = BytesPerSecond{1e12};
  cluster.accelerator.peak[static_cast<std::size_t>(Precision::Bf16)] = {FlopsPerSecond{1e15},
                                                                         "toy"};
  return cluster;
}

EngineFigures toy_figures() {
  return {.memory_share = 0.5,
          .product_share = 0.5,
          .expert_share = 0.1,
          .branch = Seconds{10e-6},
          .sequence = Seconds{20e-6},
          .host = Seconds{1e-3}};
}

}  // namespace

TEST_CASE("an iteration reads the weights once and the cache of each sequence") {
  const Engine engine(toy_decoder(), toy_cluster(), {}, toy_figures());
  const IterationTimes times = engine.iteration(2, 1000);
  CHECK(times.weights.base() == Approx(20e9 / 0.5e12));
  CHECK(times.attention.base() == Approx(2 * 1000 * 1e6 / 0.5e12));
  CHECK(times.exchange.base() == 0);
  CHECK(times.overhead.base() == Approx(40 * 10e-6 + 2 * 20e-6 + 1e-3));
}

TEST_CASE("many sequences are bound by compute") {
  const Engine engine(toy_decoder(), toy_cluster(), {}, toy_figures());
  CHECK(engine.iteration(2000, 1).weights.base() == Approx(2000 * 2 * 10e9 / 0.5e15));
  CHECK(engine.iteration(1, 1).weights.base() == Approx(20e9 / 0.5e12));
}

TEST_CASE("ranks split weights and heads, and hold latent rows each") {
  const EngineLayout eight{.ranks = 8};
  const Engine grouped(toy_decoder(4), toy_cluster(), eight, toy_figures());
  CHECK(grouped.weights().base() == Approx(20e9 / 8));
  CHECK(grouped.cache(1).base() == Approx(1e6 / 4));  // 4 groups of heads, each on two ranks
  CHECK(grouped.iteration(1, 1).exchange.base() > 0);
  const Engine latent(toy_decoder(0), toy_cluster(), eight, toy_figures());
  CHECK(latent.cache(1).base() == Approx(1e6));
}

TEST_CASE("data-parallel attention shares out sequences and holds whole weights") {
  const Engine engine(toy_decoder(), toy_cluster(),
                      {.ranks = 8, .attention = EngineAttention::DataParallel}, toy_figures());
  CHECK(engine.weights().base() == Approx(20e9));
  CHECK(engine.cache(1).base() == Approx(1e6 / 8));
  // A rank reads the whole cache of its only sequence, whether or not the others have one.
  CHECK(engine.iteration(1, 1000).attention == engine.iteration(8, 1000).attention);
  CHECK(engine.iteration(16, 1000).attention == 2 * engine.iteration(8, 1000).attention);
}

TEST_CASE("the memory beside the weights holds so many sequences") {
  const Engine engine(toy_decoder(), toy_cluster(), {.memory_share = 0.5}, toy_figures());
  CHECK(engine.sequences(1000) == 27);  // 50 GB less 20 GB and 3 GB, in gigabytes
  const Engine full(toy_decoder(), toy_cluster(), {.memory_share = 0.2}, toy_figures());
  CHECK(full.sequences(1) == 0);
}

TEST_CASE("a prompt is bound by compute") {
  const Engine engine(toy_decoder(), toy_cluster(), {}, toy_figures());
  CHECK(engine.prefill(100).base() == Approx(100 * (2 * 10e9 + 20 * 1e6 * 50) / 0.5e15));
}
