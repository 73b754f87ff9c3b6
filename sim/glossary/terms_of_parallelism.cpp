#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array terms_of_parallelism_rows{
    WrittenTerm{
        .name = "data parallelism",
        .definition = "Each replica trains on samples of its own. Replicas add up their gradients "
                      "after a step.",
        .formula = "replicas = accelerators / (tensor x pipeline x context parallel size)",
        .source =
            "Li et al., PyTorch Distributed, arXiv 2006.15704 (2020); sim/parallelism/plan.hpp",
        .printed = "data_parallel dp data_s",
        .set_by = "plan:sharded plan:compression",
        .related = "replica, ZeRO, gradient bucket, global batch",
        .also = "dp, ddp"},
    WrittenTerm{
        .name = "tensor parallelism",
        .definition = "Ranks split the products of each layer. They exchange activations in every "
                      "pass, so that the group wants fast links.",
        .source =
            "Shoeybi et al., Megatron-LM, arXiv 1909.08053 (2019); sim/model/transformer_work.cpp",
        .printed = "tensor_parallel tp tensor_s",
        .set_by = "plan:tensor_parallel",
        .related = "sequence parallelism, NVLink domain, all-reduce",
        .also = "tp"},
    WrittenTerm{
        .name = "sequence parallelism",
        .definition = "What tensor ranks would compute alike is split along the tokens. All-gather "
                      "and reduce-scatter take the place of all-reduce.",
        .source = "Korthikanti et al., arXiv 2205.05198 (2022); sim/parallelism/plan_fields.hpp",
        .printed = "sequence_parallel",
        .set_by = "plan:sequence_parallel",
        .related = "tensor parallelism",
        .also = "sp"},
    WrittenTerm{
        .name = "pipeline parallelism",
        .definition = "Ranks hold different layers. Micro-batches pass from stage to stage.",
        .formula = "bubble of equal stages under 1f1b = (stages - 1) / chunks x time of a "
                   "micro-batch on a stage, sends aside",
        .source =
            "Narayanan et al., arXiv 2104.04473 (2021); sim/parallelism/pipeline_schedule.cpp",
        .printed = "pipeline_parallel pp pipeline_s bubble_s",
        .set_by = "plan:pipeline_parallel plan:schedule plan:chunks_per_stage",
        .related = "bubble, stage, chunk, micro-batch, 1f1b",
        .also = "pp"},
    WrittenTerm{
        .name = "context parallelism",
        .definition = "Ranks split the tokens of a sample. They see each other's keys and values "
                      "by a ring or an all-gather.",
        .source = "Liu et al., Ring Attention, arXiv 2310.01889 (2023); sim/parallelism/plan.hpp",
        .printed = "context_parallel cp context_s",
        .set_by = "plan:context_parallel plan:context_exchange",
        .related = "sequence parallelism, all-gather",
        .also = "cp"},
    WrittenTerm{
        .name = "expert parallelism",
        .definition = "Ranks hold different experts of a mixture. Tokens travel to the ranks of "
                      "their experts and back.",
        .source = "Lepikhin et al., GShard, arXiv 2006.16668 (2020); sim/parallelism/plan.hpp",
        .printed = "ep expert_s",
        .set_by = "plan:expert_parallel plan:expert_dispatch plan:whole_experts",
        .related = "mixture of experts, all-to-all",
        .also = "ep"},
    WrittenTerm{
        .name = "mixture of experts",
        .definition =
            "A layer of several feed-forward networks, of which each token goes through a few.",
        .source = "Shazeer et al., arXiv 1701.06538 (2017); configs/README.md",
        .printed = "parameters_active",
        .related = "expert parallelism",
        .also = "moe"},
    WrittenTerm{
        .name = "ZeRO",
        .definition = "Replicas share what each would hold alike. Stage 1 shards the optimizer, 2 "
                      "gradients too, 3 parameters too.",
        .formula = "bytes of a sharded part on a rank = bytes / ranks that would hold the same",
        .source = "Rajbhandari et al., arXiv 1910.02054 (2019); sim/memory/footprint.hpp",
        .printed = "sharded",
        .set_by = "plan:sharded plan:shards_in_domain plan:shard_ranks",
        .related = "data parallelism, FSDP, HSDP, reduce-scatter, all-gather",
        .also = "zero stages, zero-1, zero-2, zero-3, sharding"},
    WrittenTerm{.name = "FSDP",
                .definition = "Fully sharded data parallelism: parameters are gathered before a "
                              "layer and freed after it, as ZeRO 3 does.",
                .source = "Zhao et al., arXiv 2304.11277 (2023); sim/parallelism/plan_fields.hpp",
                .printed = "sharded",
                .set_by = "plan:sharded",
                .related = "ZeRO, HSDP",
                .also = "fully sharded data parallelism"},
    WrittenTerm{.name = "HSDP",
                .definition = "Shards stay within a scale-up domain, or a group of so many ranks. "
                              "Between groups gradients are reduced.",
                .source = "Zhao et al., arXiv 2304.11277 (2023); sim/parallelism/plan_fields.hpp",
                .printed = "shards_in_domain",
                .set_by = "plan:shards_in_domain plan:shard_ranks",
                .related = "FSDP, domain",
                .also = "hybrid sharding"},
    WrittenTerm{.name = "recomputation",
                .definition = "The backward pass computes activations again that were not kept. It "
                              "saves memory and costs arithmetic.",
                .source = "Chen et al., arXiv 1604.06174 (2016); sim/parallelism/plan.hpp",
                .printed = "recompute hfu",
                .set_by = "plan:recompute plan:recompute_modules",
                .related = "HFU, activations",
                .also = "activation checkpointing, gradient checkpointing"},
    WrittenTerm{.name = "activations",
                .definition = "What the forward pass keeps for the backward pass.",
                .formula = "held at once: of as many micro-batches as the schedule has in flight",
                .source = "Korthikanti et al., arXiv 2205.05198 (2022); sim/memory/footprint.hpp",
                .printed = "memory_activations_gb",
                .set_by = "plan:recompute",
                .related = "recomputation, footprint"},
    WrittenTerm{.name = "footprint",
                .definition = "What one rank holds when it holds most.",
                .formula = "parameters + gradients + optimizer + activations + logits + gathered + "
                           "workspace + communicators + context + fragmentation",
                .source = "sim/memory/footprint.hpp",
                .printed = "memory_gb memory_share memory_free_gb fits",
                .related = "activations, ZeRO",
                .also = "peak memory"},
    WrittenTerm{.name = "plan",
                .definition = "Which rank does which part. `tofn plan` also chooses what to rent.",
                .source = "sim/parallelism/plan.hpp",
                .printed = "plan",
                .set_by = "--plan",
                .related = "replica, stage, tensor parallelism",
                .also = "parallelism plan"},
    WrittenTerm{.name = "rank",
                .definition = "One accelerator of a job.",
                .source = "sim/parallelism/plan.hpp",
                .printed = "accelerators",
                .set_by = "--accelerators",
                .related = "replica, world size",
                .also = "ranks"},
    WrittenTerm{.name = "world size",
                .definition = "All accelerators of a job.",
                .formula = "tensor x context x pipeline parallel size x replicas",
                .source = "sim/parallelism/plan.hpp",
                .printed = "accelerators",
                .set_by = "--accelerators",
                .related = "rank, replica"},
    WrittenTerm{.name = "replica",
                .definition = "The ranks that share one sample.",
                .formula = "ranks of it = tensor x pipeline x context parallel size",
                .source = "sim/parallelism/plan.hpp",
                .printed = "data_parallel",
                .related = "rank, data parallelism",
                .also = "model replica"},
    WrittenTerm{.name = "micro-batch",
                .definition = "Samples that a replica takes at once.",
                .formula = "global batch / (replicas x gradient accumulation)",
                .source = "sim/parallelism/plan.hpp",
                .printed = "micro_batch",
                .set_by = "plan:micro_batch",
                .related = "pass, gradient accumulation, global batch",
                .also = "micro batch size, mbs"},
    WrittenTerm{.name = "global batch",
                .definition = "Samples of one step of all replicas.",
                .formula = "replicas x gradient accumulation x micro-batch",
                .source = "sim/parallelism/plan.hpp",
                .printed = "global_batch batch",
                .set_by = "--batch",
                .related = "micro-batch, gradient accumulation, critical batch",
                .also = "global batch size, gbs"},
    WrittenTerm{
        .name = "gradient accumulation",
        .definition =
            "Micro-batches of a replica before gradients are reduced and parameters updated.",
        .formula = "global batch / (replicas x micro-batch)",
        .source = "sim/parallelism/plan.hpp",
        .printed = "gradient_accumulation grad_accum",
        .set_by = "plan:gradient_accumulation",
        .related = "micro-batch, global batch"},
    WrittenTerm{
        .name = "gradient bucket",
        .definition = "Gradients that leave together. The slice is the layers that fill it.",
        .source = "Li et al., arXiv 2006.15704 (2020); sim/simulation/plan_gradients.cpp",
        .set_by = "stack:gradient_bucket",
        .related = "data parallelism, overlapped",
        .also = "bucket, slice"},
    WrittenTerm{.name = "gradient group",
                .definition = "Who takes part in a reduction: `data` all replicas' ranks, `node` "
                              "those of a node, `between` one of each node.",
                .source = "configs/README.md, a workload's synchronisation",
                .related = "data parallelism",
                .also = "process group"},
    WrittenTerm{.name = "int8",
                .definition = "Gradients travel in 8 bits each.",
                .formula = "bytes = parameters",
                .source = "sim/simulation/compression.cpp",
                .set_by = "plan:compression",
                .related = "top-k, power-sgd"},
    WrittenTerm{.name = "top-k",
                .definition = "The largest 1 % of gradients travel, each an fp32 value and its "
                              "index. Every rank picks others, so that all gather all.",
                .formula = "bytes = parameters x 0.01 x 8 x ranks",
                .source = "Lin et al., Deep Gradient Compression, ICLR 2018 (the share is "
                          "assumed); sim/simulation/compression.cpp",
                .set_by = "plan:compression",
                .related = "int8, power-sgd"},
    WrittenTerm{.name = "power-sgd",
                .definition = "Each weight's gradient travels as two factors of rank 4.",
                .formula = "bytes = gradient bytes x 4 (m + n) / (m n) of an m x n weight",
                .source = "Vogels et al., NeurIPS 2019; sim/simulation/compression.cpp",
                .set_by = "plan:compression",
                .related = "int8, top-k"}};

}  // namespace

constinit const std::span<const WrittenTerm> terms_of_parallelism = terms_of_parallelism_rows;

}  // namespace glossary
}  // namespace tofn
