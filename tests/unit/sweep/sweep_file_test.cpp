#include "tests/refusal.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

// 100 000 values on each of three axes make 1e15 points, the maximum.
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

TEST_CASE("a base states the length of samples, and an axis another one") {
  const std::string head =
      "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n  cluster: dgx-h100\n"
      "  replica_batch: 1\n  sequence_length: 4096\naxes:\n";
  Swept based(head + "  - tp: [1, 2]\ncolumns: [step_s]\n");
  Swept varied(head + "  - sequence_length: [4096, 8192]\ncolumns: [step_s]\n");
  const auto rows = varied.rows();
  REQUIRE(rows.size() == 2);
  CHECK(based.rows().at(0).at("step_s") == rows[0].at("step_s"));
  CHECK(number(rows[1].at("step_s")) > number(rows[0].at("step_s")));
}

TEST_CASE("a length that is none, or of no model, is refused where the base says it") {
  const auto reported = [](const std::string& base) {
    return refusal([&] {
      Swept("name: test\ntitle: a test\nbase:\n  cluster: dgx-h100\n" + base +
            "axes:\n  - accelerators: [8, 16]\n");
    });
  };
  CHECK_THAT(reported("  model: llama3-8b\n  replica_batch: 1\n  sequence_length: 0\n"),
             ContainsText(":7:20: base.sequence_length: expected a whole number from 1 to "));
  CHECK_THAT(reported("  workload: bert\n  sequence_length: 512\n"),
             ContainsText("base: says sequence_length, which changes nothing of a workload"));
  CHECK_THAT(reported("  model: resnet-50\n  replica_batch: 1\n  sequence_length: 512\n"),
             ContainsText("'sequence_length' needs transformer or state-space layers"));
}
