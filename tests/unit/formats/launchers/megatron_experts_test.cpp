#include <algorithm>

#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

LaunchReading of_experts(const std::string& flags) {
  return reading(
      "torchrun --nproc_per_node 8 --nnodes 4 pretrain_gpt.py --num-layers 4 "
      "--hidden-size 1024 --num-attention-heads 16 --seq-length 2048 --vocab-size 1024 "
      "--micro-batch-size 1 --num-experts 64 --moe-router-topk 8 --sequence-parallel "
      "--moe-token-dispatcher-type alltoall --tensor-model-parallel-size 4 " +
          flags + "\n",
      "a.sh");
}

}  // namespace

TEST_CASE("Megatron-LM's groups limit where a token's experts lie") {
  const LaunchReading read = of_experts("--moe-router-num-groups 8 --moe-router-group-topk 4");
  const auto& layers = std::get<TransformerLayers>(read.training.own_model->parts.back().shape);
  CHECK(layers.expert_groups == 8);
  CHECK(layers.groups_per_token == 4);
  CHECK(read.not_understood.empty());
  const LaunchWriting written =
      write_training(read.training, launcher_named(configs, "megatron-lm"));
  CHECK_THAT(written.text, ContainsText("--moe-router-num-groups 8"));
  CHECK_THAT(written.text, ContainsText("--moe-router-group-topk 4"));
  CHECK_THAT(written.text, ContainsText("--moe-grouped-gemm"));
  CHECK_THAT(
      refusal([] { of_experts("--moe-router-num-groups 16 --moe-router-group-topk 1"); }),
      ContainsText("moe-router-group-topk: 8 experts a token do not lie in 1 of 16 groups of "
                   "64 experts"));
  CHECK(of_experts("--moe-router-topk-limited-devices 2").not_understood.size() == 1);
  CHECK(of_experts("--moe-router-load-balancing-type none").not_understood.empty());
}

TEST_CASE("Megatron-LM's experts are split like the rest, or whole") {
  const auto is_whole = [](const std::string& flags) {
    return of_experts(flags).training.plan.whole_experts;
  };
  CHECK_FALSE(is_whole("--expert-model-parallel-size 4"));
  CHECK_FALSE(is_whole("--expert-model-parallel-size 4 --expert-tensor-parallel-size 4"));
  CHECK(is_whole("--expert-model-parallel-size 4 --expert-tensor-parallel-size 1"));
  CHECK(is_whole("--expert-tensor-parallel-size 1"));
  CHECK_THAT(refusal([&] { is_whole("--expert-tensor-parallel-size 2"); }),
             ContainsText("expert-tensor-parallel-size: only 1 or the tensor parallel size, 4, is "
                          "expressed"));
}

TEST_CASE("Megatron-LM's dispatcher, recomputed modules and formats of states, both ways") {
  const LaunchReading read = of_experts(
      "--expert-model-parallel-size 4 --moe-token-dispatcher-type flex "
      "--moe-flex-dispatcher-backend hybridep --recompute-granularity selective "
      "--recompute-modules layernorm moe_act --use-precision-aware-optimizer "
      "--main-grads-dtype bf16 --exp-avg-dtype bf16 --exp-avg-sq-dtype bf16");
  CHECK(read.not_understood.empty());
  const Plan& plan = read.training.plan;
  CHECK(plan.expert_dispatch == ExpertDispatch::HybridEp);
  CHECK(plan.recompute_modules ==
        RecomputeModules{RecomputeModule::LayerNorm, RecomputeModule::ExpertActivation});
  CHECK(plan.kept_gradients == KeptFormat::Bf16);
  CHECK(plan.kept_moments == KeptFormat::Bf16);
  const LaunchWriting written =
      write_training(read.training, launcher_named(configs, "megatron-lm"));
  CHECK_THAT(written.text, ContainsText("--moe-flex-dispatcher-backend hybridep"));
  CHECK_THAT(written.text, ContainsText("--recompute-modules layernorm moe_act"));
  CHECK_THAT(written.text, ContainsText("--exp-avg-sq-dtype bf16"));
  CHECK_THAT(
      refusal([] { of_experts("--recompute-granularity selective --recompute-modules moe_acts"); }),
      ContainsText("recompute-modules: unknown module 'moe_acts', did you mean 'moe_act'"));
  CHECK_THAT(refusal([] { of_experts("--use-precision-aware-optimizer --exp-avg-dtype bf16"); }),
             ContainsText("exp-avg-sq-dtype: only that of exp-avg-dtype is expressed"));
}

TEST_CASE("Megatron-LM's CUDA graphs are of the iteration, of layers, or of modules, both ways") {
  const auto graphs_of = [](const std::string& flags) {
    const LaunchReading read = of_experts("--expert-model-parallel-size 4 " + flags);
    CHECK(read.not_understood.empty());
    const LaunchWriting written =
        write_training(read.training, launcher_named(configs, "megatron-lm"));
    CHECK(std::count(written.left_out.begin(), written.left_out.end(), "cuda_graphs") == 0);
    return read.training.plan.cuda_graphs;
  };
  CHECK(graphs_of("") == CudaGraphs::None);
  CHECK(graphs_of("--cuda-graph-impl none --cuda-graph-scope full") == CudaGraphs::None);
  CHECK(graphs_of("--enable-cuda-graph") == CudaGraphs::Layer);
  CHECK(graphs_of("--cuda-graph-impl transformer_engine") == CudaGraphs::Layer);
  CHECK(graphs_of("--cuda-graph-impl local --cuda-graph-modules attn moe_router") ==
        CudaGraphs::Segmented);
  CHECK(graphs_of("--cuda-graph-impl local --cuda-graph-scope full_iteration") ==
        CudaGraphs::FullIteration);
  CHECK(graphs_of("--cuda-graph-impl full_iteration") == CudaGraphs::FullIteration);
  CHECK_THAT(
      refusal([] { of_experts("--cuda-graph-impl locally"); }),
      ContainsText("cuda-graph-impl: 'locally' is not understood here: none, transformer_engine"));
}
