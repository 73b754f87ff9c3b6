#include "sim/parallelism/substitutions.hpp"

#include "sim/cluster/measured_machine.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/curves/known_tables.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

using Sentences = std::vector<std::string>;

// The toy has bf16 and fp8, and a network that cannot reduce.
TEST_CASE("what a machine has is not replaced") {
  CHECK(substitutions({.precision = Precision::Bf16}, toy_machine()).empty());
  CHECK(substitutions({.precision = Precision::Fp8, .fp8_attention = true}, toy_machine()).empty());
}

TEST_CASE("a precision that the chip lacks is told with the one that it runs in") {
  CHECK(substitutions({.precision = Precision::Fp4}, toy_machine()) ==
        Sentences{"toy has no fp4: products run in fp8"});
  Cluster old = toy_machine();
  old.accelerator.peak[static_cast<std::size_t>(Precision::Fp8)].reset();
  CHECK(substitutions({.precision = Precision::Fp8}, old) ==
        Sentences{"toy has no fp8: products run in bf16"});
}

TEST_CASE("attention in fp8 beside wider products is told") {
  CHECK(substitutions({.precision = Precision::Bf16, .fp8_attention = true}, toy_machine()) ==
        Sentences{"fp8 attention goes with products in fp8 or fp4: it runs in bf16"});
}

TEST_CASE("a network that cannot reduce, or none, is told to who asks") {
  const MachineDemand demand{.in_network_reduction = true};
  const Sentences reported{"the network of toy does not reduce: its accelerators do"};
  Cluster cluster = toy_machine();
  CHECK(substitutions(demand, cluster) == reported);
  cluster.network->in_network_reduction.value = true;
  CHECK(substitutions(demand, cluster).empty());
  cluster.network.reset();
  CHECK(substitutions(demand, cluster) == reported);
}

TEST_CASE("graphs are told to be captured nowhere but on chips of NVIDIA and AMD") {
  const MachineDemand demand{.cuda_graphs = CudaGraphs::Layer};
  Cluster cluster = toy_machine();
  CHECK(substitutions(demand, cluster).empty());
  cluster.accelerator.vendor = "AMD";
  CHECK(substitutions(demand, cluster).empty());
  cluster.accelerator.vendor = "Google";
  CHECK(substitutions(demand, cluster) == Sentences{"toy has no CUDA graphs: nothing is captured"});
  CHECK(substitutions({.cuda_graphs = CudaGraphs::None}, cluster).empty());
}

TEST_CASE("an exchange of tokens that is written for chips of NVIDIA is told of on others") {
  const MachineDemand demand{.expert_dispatch = ExpertDispatch::DeepEp};
  Cluster cluster = toy_machine();
  CHECK(substitutions(demand, cluster).empty());
  cluster.accelerator.vendor = "Google";
  CHECK(substitutions(demand, cluster) ==
        Sentences{"deepep is written for chips of NVIDIA: on toy tokens go to experts by an "
                  "all-to-all"});
  CHECK(substitutions(MachineDemand{}, cluster).empty());
}

TEST_CASE("collectives without a table are told, each once, with ranks where others have one") {
  const MeasuredMachine machine{"rack",
                                MeasuredCollectives(std::vector{table_of(
                                    rows_of([](double) { return 9.0; }, 10, 30, 1), 1, 8)}),
                                {}};
  AnsweredCollectives answered;
  answered.add({CollectiveKind::AllReduce, 8, AnsweredBy::Table});
  CHECK(substitutions(machine, answered).empty());
  answered.add({CollectiveKind::AllGather, 64});
  answered.add({CollectiveKind::AllReduce, 4});
  answered.add({CollectiveKind::AllGather, 8});
  CHECK(substitutions(machine, answered) ==
        Sentences{"calibration rack holds no table for all-reduce over 4 ranks, all-gather: "
                  "formulas answer there"});
}

TEST_CASE("collectives that an all-reduce answered are told") {
  const MeasuredMachine machine{"rack",
                                MeasuredCollectives(std::vector{table_of(
                                    rows_of([](double) { return 9.0; }, 10, 30, 1), 1, 8)}),
                                {}};
  AnsweredCollectives answered;
  answered.add({CollectiveKind::AllGather, 8, AnsweredBy::AllReduce});
  answered.add({CollectiveKind::AllReduce, 8, AnsweredBy::Table});
  CHECK(substitutions(machine, answered) ==
        Sentences{"calibration rack holds no table for all-gather: its all-reduce answers, times "
                  "the formulas' ratio"});
}

TEST_CASE("collectives far outside what was measured are told, and are not measured") {
  const MeasuredMachine machine{
      "rack", MeasuredCollectives(std::vector{table_of({{1024, 9}}, 1, 8)}), {}};
  AnsweredCollectives answered;
  answered.add(
      {.kind = CollectiveKind::AllReduce, .ranks = 8, .by = AnsweredBy::Table, .is_far = true});
  CHECK(substitutions(machine, answered) ==
        Sentences{"all-reduce over 8 ranks: messages far outside the sizes or nodes of calibration "
                  "rack; formulas extend it there"});
}

TEST_CASE("a sentence is added once") {
  Sentences all{"a"};
  add_new(all, {"b", "a", "b"});
  CHECK(all == Sentences{"a", "b"});
}

TEST_CASE("a site's power limit is told with the rate that it leaves") {
  Cluster limited = toy_machine();
  limited.accelerator.power = {1000_W, "made up"};
  limited.accelerator.power_limit = {640_W, "assumed"};
  CHECK(substitutions({.precision = Precision::Bf16}, limited) ==
        Sentences{"toy lets each accelerator draw 640 W of 1 kW (assumed): arithmetic runs at 0.80 "
                  "of its rate, which a measured step would replace (--observed)"});
  limited.accelerator.power_limit->value = 1000_W;
  CHECK(substitutions({.precision = Precision::Bf16}, limited).empty());
}
