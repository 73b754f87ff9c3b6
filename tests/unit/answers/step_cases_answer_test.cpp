#include "sim/answers/step_cases_answer.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Library& library() {
  static const Library loaded = Library::load(TOFN_SOURCE_DIR "/configs");
  return loaded;
}

StepCaseTable table_of(const std::string& text) {
  const TemporaryFile file("steps.csv", text);
  return read_step_cases(file.path(), library());
}

/// Error in the only row below this header, without the file's name.
std::string mistake(const std::string& header, const std::string& row) {
  const StepCaseTable table = table_of(header + '\n' + row + '\n');
  if (table.refused.size() != 1) return "accepted";
  const std::string what = table.refused[0].mistake.what();
  return what.substr(what.find(".csv") + 4);
}

const std::string needed = "accelerator,hidden,layers,heads,gpus,global_batch";

}  // namespace

TEST_CASE("chips are found by the names that tables give them") {
  for (const char* chip :
       {"A800-80GB", "H800", "H100-96GB", "MI350X", "B300-SXM-270GB", "V100-16GB", "PVC-1550-tile",
        "Trainium1-core", "Trainium2", "TPU-v7x", "GB10", "RTX PRO 6000", "A30", "L4", "L40"}) {
    INFO(chip);
    const StepCaseTable table = table_of(needed + '\n' + chip + ",1024,24,16,64,512\n");
    REQUIRE(table.refused.empty());
    CHECK(table.rows[0].step.cluster.name.find("generic") == std::string::npos);
  }
}

TEST_CASE("a table of steps may leave out what is usual") {
  const StepCaseTable table = table_of(needed + "\nA100-SXM-80GB,1024,24,16,64,512\n");
  REQUIRE(table.refused.empty());
  REQUIRE(table.rows.size() == 1);
  const StepCase& step = table.rows[0].step;
  CHECK(step.cluster.name == "dgx-a100");
  CHECK(step.plan.data_parallel_size == 64);
  CHECK(step.plan.gradient_accumulation == 8);
  CHECK(step.plan.micro_batch == 1);
  CHECK(step.plan.recompute == Recompute::None);
  CHECK(step.plan.sharded == Sharded::Nothing);
  CHECK_FALSE(step.plan.data_overlap);
  CHECK_FALSE(step.measured.has_value());
  CHECK(step.model.sequence_length == 2048);
  CHECK(step.model.precision == Precision::Fp16);
  const auto& layers = std::get<TransformerLayers>(step.model.parts[1].shape);
  CHECK(layers.feed_forward == 4096);
  CHECK(layers.head_size == 64);
  CHECK_FALSE(layers.fused_attention);
  CHECK(std::get<Vocabulary>(step.model.parts[0].shape).size == 51200);
  const Records filled = records_of(step_case_columns(), table.rows);
  CHECK(filled.columns[1] == "accelerator");
  CHECK(filled.rows[0][1] == Value{"A100-SXM-80GB"});
  CHECK(filled.columns[4] == "feed_forward");
  CHECK(filled.rows[0][4] == Value{4096LL});
}

TEST_CASE("words of a table of steps are read as people write them") {
  const std::string header = needed + ",tensor_parallel,recompute,sequence_parallel,zero_stage";
  const std::string row = "A100-SXM-80GB,1024,24,16,64.0,512,2,";
  const auto plan = [&](const std::string& rest) {
    const StepCaseTable table = table_of(header + '\n' + row + rest + '\n');
    REQUIRE(table.refused.empty());
    return table.rows.at(0).step.plan;
  };
  for (const char* word : {"yes", "true", "True", "1", "full"})
    CHECK(plan(std::string(word) + ",no,").recompute == Recompute::Full);
  for (const char* word : {"no", "FALSE", "0", "none", ""})
    CHECK(plan(std::string(word) + ",no,0").recompute == Recompute::None);
  CHECK(plan("selective,YES,").sequence_parallel);
  CHECK(plan("none,no,3").sharded == Sharded::Parameters);
  CHECK(plan("none,no,3").data_overlap);
}

TEST_CASE("a table of steps may say how many ranks share its shards") {
  const auto plan = [](const std::string& ranks) {
    return table_of(
               "stack,source,accelerator,gpus_per_node,hidden,layers,heads,gpus,sharding,"
               "shard_ranks,global_batch\nmaxtext,[A] who,H100-80GB,8,4096,32,32,64,hsdp," +
               ranks + ",64\n")
        .rows.at(0)
        .step.plan;
  };
  CHECK(plan("").shards_in_domain);
  CHECK_FALSE(plan("").shard_ranks);
  CHECK_FALSE(plan("32").shards_in_domain);
  CHECK(plan("32").shard_ranks == 32);
}

TEST_CASE("a table of steps that names its stacks says what else ran") {
  const StepCaseTable table = table_of(
      "stack,source,accelerator,gpus_per_node,hidden,feed_forward,layers,heads,kv_heads,gpus,"
      "context_parallel,sharding,global_batch,gated_mlp,network_gbps_per_gpu\n"
      "nemo,[A] who,H100-80GB,8,4096,14336,32,32,8,16,2,hsdp,64,yes,200\n"
      "nemo,[A] who,GB200,72,4096,14336,32,32,8,16,1,zero1,64,yes,\n");
  REQUIRE(table.refused.empty());
  const StepCaseRow& row = table.rows.at(0);
  CHECK(row.stack == "nemo");
  CHECK(row.source == "[A] who");
  CHECK(row.step.plan.data_parallel_size == 8);
  CHECK(row.step.plan.context_parallel_size == 2);
  CHECK(row.step.plan.sharded == Sharded::Parameters);
  CHECK(row.step.plan.shards_in_domain);
  // Each node has 8 NICs of 200 Gb/s.
  const Network& network = *row.step.cluster.network;
  CHECK_THAT(network.nics_per_node.value * network.nic_bandwidth.value.base(),
             WithinRel(8 * 200e9 / 8, 1e-12));
  const auto& layers = std::get<TransformerLayers>(row.step.model.parts[1].shape);
  CHECK(layers.key_value_heads == 8);
  CHECK(layers.gated);
  CHECK(layers.fused_attention);
  CHECK_FALSE(std::get<Vocabulary>(row.step.model.parts[0].shape).tied);
  CHECK(table.rows.at(1).step.cluster.name == "gb200-nvl72");
}

TEST_CASE("sequence parallelism without tensor parallelism is none") {
  const StepCaseTable table =
      table_of(needed + ",sequence_parallel\nA100-SXM-80GB,1024,24,16,64,512,yes\n");
  CHECK_FALSE(table.rows.at(0).step.plan.sequence_parallel);
}

TEST_CASE("machines that no file describes are made of the nearest one that is") {
  const auto cluster = [](const std::string& accelerator, const std::string& per_node) {
    const StepCaseTable table = table_of(needed + ",gpus_per_node\n" + accelerator +
                                         ",1024,24,16,64,512," + per_node + '\n');
    REQUIRE(table.refused.empty());
    return table.rows.at(0).step.cluster;
  };
  CHECK(cluster("H100 SXM", "8").name == "dgx-h100");
  CHECK(cluster("H100 SXM", "4").name == "hgx-h100-4gpu");
  const Cluster older = cluster("A100-SXM-40GB", "4");
  CHECK(older.name == "juwels-booster");
  const Cluster few = cluster("H200 SXM", "2");
  CHECK(few.name.ends_with(" at 2 per node"));
  CHECK(few.accelerators_per_node.value == 2);
  CHECK(older.accelerator.memory_bandwidth.value == BytesPerSecond{1555e9});
  CHECK(older.accelerators_per_node.value == 4);
  CHECK(older.scale_up.domain_accelerators.value == 4);
  CHECK(older.network->nics_per_node.value == 4);
}

TEST_CASE("a bad row is one line with its place, and the others are read") {
  const StepCaseTable table = table_of(needed +
                                       "\nA100-SXM-80GB,1024,24,16,64,512\n"
                                       "A100-SXM-80GB,1024,24,16,64\n"
                                       "A100-SXM-80GB,1024,24,15,64,512\n"
                                       "A100-SXM-80GB,1024,24,16,8,512\n");
  CHECK(table.rows.size() == 2);
  CHECK(table.refused.size() == 2);
  CHECK(mistake(needed, "A100-SXM-80GB,1024,24,15,64,512") ==
        ":2:23: heads: 15 heads do not divide a hidden size of 1024");
  CHECK(mistake(needed, "A100-SXM-80GB,1024,24,16,64,100") ==
        ":2:29: global_batch: 100 is no multiple of micro_batch x data_parallel = 1 x 64");
  CHECK(mistake(needed, "A100-SXM-80GB,1024,twelve,16,64,64") ==
        ":2:20: layers: expected a whole number from 1 to 100000, got 'twelve'");
  CHECK(mistake(needed, "A100-SXM-80GB,1024,1e9,16,64,64") ==
        ":2:20: layers: expected a whole number from 1 to 100000, got '1e9'");
  CHECK(mistake(needed, "A100-SXM-80GB,1024,24,16,1,1e8") ==
        ":2:28: global_batch: makes more than 10000000 passes of stages");
  // Each of 4 million micro-batches passes two chunks on each of two stages.
  CHECK(mistake(needed + ",pipeline_parallel,interleaved_stages",
                "A100-SXM-80GB,1024,24,16,2,4000000,2,2") ==
        ":2:28: global_batch: makes more than 10000000 passes of stages");
  CHECK(mistake(needed + ",tensor_parallel", "A100-SXM-80GB,1024,24,16,64,64,3") ==
        ":2:26: gpus: 64 is no multiple of tensor_parallel x pipeline_parallel x context_parallel "
        "= 3");
  CHECK(
      mistake(needed + ",data_parallel", "A100-SXM-80GB,1024,24,16,64,64,32") ==
      ":2:32: data_parallel: tensor_parallel x pipeline_parallel x context_parallel = 1 of 64 GPUs "
      "leave 64, not 32");
  CHECK(mistake(needed + ",interleaved_stages", "A100-SXM-80GB,1024,24,16,64,64,2") ==
        ":2:32: interleaved_stages: interleaving needs pipeline_parallel above 1");
  CHECK(mistake(needed + ",zero_stage", "A100-SXM-80GB,1024,24,16,64,64,4") ==
        ":2:32: zero_stage: expected a whole number from 0 to 3, got '4'");
  CHECK(mistake(needed + ",measured_step_s", "A100-SXM-80GB,1024,24,16,64,64,-1") ==
        ":2:32: measured_step_s: expected a number above 0, got '-1'");
  CHECK(mistake(needed + ",recompute", "A100-SXM-80GB,1024,24,16,64,64,half") ==
        ":2:32: recompute: unknown value 'half'; valid values: none, selective, full, no, yes, "
        "false, true, 0, 1");
}

TEST_CASE("a table of steps without rows or without a needed column is refused") {
  CHECK_THAT(refusal([] { table_of(needed + "\n"); }), ContainsText("has no rows"));
  CHECK_THAT(refusal([] { table_of("accelerator,hidden,heads,gpus,global_batch\na,1,1,1,1\n"); }),
             ContainsText("missing column 'layers'"));
}
