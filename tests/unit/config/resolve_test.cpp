#include "sim/config/resolve.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

struct Rows {
  Library library = Library::load(TOFN_SOURCE_DIR "/configs");
  Resolver resolver{library};

  ResolvedRow operator()(const char* benchmark, const char* accelerator, int nodes,
                         int accelerators, double batch) {
    PublishedRow row;
    row.inputs.benchmark = benchmark;
    row.inputs.organisation = "Somebody";
    row.inputs.system = "somewhere";
    row.inputs.accelerator = accelerator;
    row.inputs.nodes = nodes;
    row.inputs.accelerators = accelerators;
    row.inputs.global_batch = batch;
    return resolver.resolve(row);
  }
};

}  // namespace

TEST_CASE("a run on two boards of four that no file describes is no one-domain run") {
  Rows rows;
  CHECK_FALSE(is_in_one_domain(*rows("bert", "H100 SXM", 2, 8, 768).run));
  CHECK(is_in_one_domain(*rows("bert", "H100 SXM", 1, 8, 768).run));
  CHECK(is_in_one_domain(*rows("bert", "GB200", 18, 72, 4608).run));
  CHECK_FALSE(is_in_one_domain(*rows("bert", "GB200", 36, 144, 4608).run));
}

TEST_CASE("a fabric that no file describes reaches less than its nominal bandwidth") {
  Rows rows;
  const Cluster& cluster = *rows("bert", "H100 SXM", 2, 8, 768).run->cluster;
  CHECK(cluster.scale_up.bandwidth_efficiency.value < 1);
  CHECK(cluster.network->bandwidth_efficiency.value < 1);
  CHECK(cluster.network->nodes_per_leaf.value == 32);
  CHECK(cluster.network->nodes_per_leaf.is_assumed());
}

TEST_CASE("a row without a plan shares samples where there are fewer than accelerators") {
  Rows rows;
  const Plan plan = rows("llama2_70b_lora", "H100 SXM", 8, 64, 8).run->plan;
  CHECK(plan.tensor_parallel_size == 4);
  CHECK(plan.context_parallel_size == 2);
  CHECK(plan.data_parallel_size == 8);
  const Plan odd = rows("llama2_70b_lora", "H100 SXM", 1, 6, 2).run->plan;
  CHECK(odd.tensor_parallel_size == 3);
  CHECK(odd.context_parallel_size == 1);
  CHECK_FALSE(rows("bert", "H100 SXM", 8, 64, 8).run);  // BERT cannot be split
  CHECK(rows("bert", "H100 SXM", 8, 64, 8).skipped_because.starts_with("global batch 8 leaves"));
}
