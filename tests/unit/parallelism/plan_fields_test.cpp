#include "sim/parallelism/plan_fields.hpp"

#include <set>
#include <string>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("keys, names and options of a plan are unique") {
  std::set<std::string> keys, names;
  visit_plan([&](const PlanField& field, auto) {
    INFO(field.name);
    if (!field.key.empty()) CHECK(keys.emplace(field.key).second);
    CHECK(names.insert(field.option()).second);
    CHECK_FALSE(field.meaning.empty());
  });
  CHECK(names.contains("sequence-parallel"));
}

TEST_CASE("a plan's words name each thing that is not as usual") {
  Plan plan{.tensor_parallel_size = 2, .context_parallel_size = 3, .data_parallel_size = 4};
  plan.expert_parallel_size = 2;
  plan.micro_batch = 1.5;
  plan.schedule = PipelineSchedule::GPipe;  // says nothing without a pipeline
  plan.sequence_parallel = plan.tensor_overlap = true;
  plan.context_exchange = ContextExchange::AllGather;
  plan.sharded = Sharded::Gradients;
  CHECK(plan_words(plan) ==
        "tp 2, cp 3, dp 4, ep 2, 1 micro-batch of 1.5, sequence parallel, tensor overlap, "
        "all-gather of keys and values, gradients sharded");
  plan.shards_in_domain = plan.offloads_optimizer = plan.in_network_reduction = true;
  plan.cuda_graphs = CudaGraphs::Layer;
  plan.data_overlap = false;
  plan.sequence_parallel = plan.tensor_overlap = false;
  CHECK(plan_words(plan) ==
        "tp 2, cp 3, dp 4, ep 2, 1 micro-batch of 1.5, all-gather of keys and values, "
        "gradients sharded in the domain, gradients not overlapped, optimizer on the host, "
        "CUDA graphs layer, SHARP");
}
