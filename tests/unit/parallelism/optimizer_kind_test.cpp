#include "sim/parallelism/optimizer_kind.hpp"

#include "sim/memory/footprint.hpp"
#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Optimizer bytes of Llama 3 8B in bf16 on one accelerator.
double held_by(OptimizerKind kind) {
  const Plan plan{.optimizer = kind};
  return footprints(layer_work(shipped_model("llama3-8b"), plan), plan, MemoryProfile{})
      .front()
      .optimizer.base();
}

}  // namespace

TEST_CASE("every optimizer stands where its value looks for it, and has a source") {
  for (const auto& [name, kind] : optimizer_names) {
    INFO(name);
    const OptimizerTraits& traits = traits_of(kind);
    CHECK(traits.name == name);
    CHECK_FALSE(traits.source.empty());
    // The gradient is read, and the fp32 copy and the kept state are read and written.
    CHECK(traits.update_bytes >= 12 + 2 * traits.state_bytes);
  }
  CHECK(traits_of(OptimizerKind::AdamW).name == "adamw");
  CHECK(traits_of(OptimizerKind::Muon).name == "muon");
  CHECK(traits_of(OptimizerKind::Adam8bit).name == "adam-8bit");
}

// Each value that a pass reads or writes has four bytes, pass by pass of each source's algorithm.
TEST_CASE("an optimizer's update moves what its passes read and write") {
  const auto moved = [](OptimizerKind kind) { return traits_of(kind).update_bytes; };
  constexpr double read = 4, written = 4, updated = read + written;
  // One pass reads the gradient and updates the fp32 copy and one or two moments.
  CHECK(moved(OptimizerKind::Sgd) == read + updated);
  CHECK(moved(OptimizerKind::Momentum) == read + 2 * updated);
  CHECK(moved(OptimizerKind::Lion) == read + 2 * updated);
  CHECK(moved(OptimizerKind::Adam) == read + 3 * updated);
  CHECK(moved(OptimizerKind::AdamW) == read + 3 * updated);
  // LAMB reads the gradient and the parameter, updates both moments and writes Adam's update. It
  // then reads the update and the parameter for their norms, and the update again to update the
  // parameter.
  CHECK(moved(OptimizerKind::Lamb) ==
        (read + read + 2 * updated + written) + (read + read) + (read + updated));
  // Adafactor reads the gradient three times: for the sums of rows and columns, for the mean square
  // of the update, and for the update itself. The sums are small beside a matrix.
  CHECK(moved(OptimizerKind::Adafactor) == read + read + (read + updated));
  // Muon reads the gradient, updates the moment and writes its input for orthogonalisation in bf16.
  // It then reads the result in bf16 and updates the copy.
  CHECK(moved(OptimizerKind::Muon) == (read + updated + written / 2) + (read / 2 + updated));
  // Each moment has a byte a parameter and four bytes of scale for 2,048, read and written.
  CHECK(moved(OptimizerKind::Adam8bit) == read + updated + 2 * (2 + 8.0 / 2048));
}

TEST_CASE("an optimizer keeps its moments beside the fp32 copy") {
  const double all = parameters(shipped_model("llama3-8b"));
  CHECK_THAT(held_by(OptimizerKind::AdamW), WithinRel(12 * all, 1e-9));
  CHECK_THAT(held_by(OptimizerKind::Lion), WithinRel(8 * all, 1e-9));
  CHECK_THAT(held_by(OptimizerKind::Sgd), WithinRel(4 * all, 1e-9));
  CHECK_THAT(held_by(OptimizerKind::Adafactor), WithinRel(4 * all, 1e-9));
  // Two bytes a parameter, and two fp32 scales for 2048 of them.
  CHECK_THAT(held_by(OptimizerKind::Adam8bit), WithinRel((6 + 8.0 / 2048) * all, 1e-9));
}

TEST_CASE("muon leaves embeddings and what follows the last layer to adamw") {
  const double ends = 2 * 128256.0 * 4096 + 4096;
  const double layers = parameters(shipped_model("llama3-8b")) - ends;
  CHECK_THAT(held_by(OptimizerKind::Muon), WithinRel(8 * layers + 12 * ends, 1e-9));
}

TEST_CASE("a Newton-Schulz step of a layer is that of each of its matrices") {
  const LayerWork layer = transformer_layer(shipped_model("llama3-8b"), Plan{});
  // An m x n matrix takes 4 m^2 n + 2 m^3: qkv has 4096 x 6144, the projection 4096 x 4096, gate
  // and up 4096 x 28672, down 4096 x 14336.
  const double m = 4096;
  const double sum = 4 * m * m * (6144 + 4096 + 28672 + 14336) + 4 * 2 * m * m * m;
  CHECK_THAT(layer.orthogonalised.base(), WithinRel(sum, 1e-12));
  // A matrix takes at most 6 n m^2 (kellerjordan.github.io/posts/muon).
  CHECK(layer.orthogonalised.base() <= 6 * m * m * (6144 + 4096 + 28672 + 14336));
}
