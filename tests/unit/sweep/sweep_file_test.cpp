#include "tests/refusal.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

// 100 000 each of three axes: 1e15, the most.
TEST_CASE("a sweep has 1e15 points at most") {
  const auto points = [](int last) {
    std::string axes;
    for (const char* path : {"accelerators", "replica_batch", "cluster.nodes_per_leaf"})
      axes += std::string("  - {path: ") + path + ", range: {from: 1, to: " + std::to_string(last) +
              "}}\n";
    const TemporaryFile file("sweep.yaml",
                             "name: test\ntitle: a test\nbase: {model: llama3-8b, cluster: "
                             "dgx-h100}\naxes:\n" +
                                 axes);
    return load_sweep(file.path()).points();
  };
  CHECK(points(100'000) == 1'000'000'000'000'000);
  CHECK_THAT(refusal([&] { points(100'001); }), ContainsText("points: more than 1e+15"));
}
