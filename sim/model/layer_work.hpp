#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/token_routing.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// Kernels that run alike: `count` products of `batch` matrices each, C[m,n] = A[m,k] B[k,n], or,
/// with k = 0, kernels that only move `bytes` each. Fused attention is the product that makes its
/// output, with the reduction of all its products in k.
struct Kernel {
  double m = 0;
  double n = 0;
  double k = 0;
  double batch = 1;
  double written = 2;  ///< bytes moved per element of C; 8 where fp32 gradients are accumulated
  Bytes bytes{};       ///< all that one reads and writes; 0 of a product: what its matrices hold
  double count = 1;
  double repeated = 0;  ///< share of its arithmetic that forward has done before
  Arithmetic arithmetic = Arithmetic::Matmul;
  bool is_weight_gradient = false;  ///< zero-bubble schedules may run it later
  bool is_scan = false;    ///< of a state space: like attention in 16 bits, in FP8 training too
  bool is_routed = false;  ///< of experts, or of what brings tokens to them and back

  Flops flops() const { return Flops{2 * m * n * k * batch * count}; }
};

/// Whom a rank talks to.
enum class Group { Tensor, Context, Expert, Pipeline, Data };

/// `count` equal collectives in one pass; payload as nccl-tests counts it.
struct Exchange {
  Group group = Group::Tensor;
  CollectiveKind collective = CollectiveKind::AllReduce;
  Bytes payload{};
  double count = 1;
  /// Of an exchange on two levels (`two_level_cost`), whose payload is each token once.
  std::optional<TokenRouting> routing{};
};

struct PassWork {
  std::vector<Kernel> kernels;
  std::vector<Exchange>
      exchanges;  ///< tensor, context and expert; data and pipeline are the plan's
};

/// Where in a pipeline layers must lie.
enum class StagePlace { Spread, First, Last };

/// `count` equal layers as one rank runs them on one micro-batch.
struct LayerWork {
  /// A kernel of a transformer stands for what software launches with it: casts, views, copies, and
  /// their likes in the backward pass. Megatron-LM on A100 starts the 62 kernels of a layer's
  /// forward, recomputed and backward pass in 3.5 ms whatever its size (steps of GPTs of 0.2 to
  /// 1.3 billion parameters, github.com/VIA-Research/vTrain), which is 4 launches of 14 us each.
  static constexpr double launches_with_kernel = 4;

  std::string name{};
  int count = 1;
  StagePlace place = StagePlace::Spread;
  PassWork forward{};
  PassWork backward{};           ///< without recomputation
  PassWork recompute{};          ///< what of forward backward runs again
  double parameters = 0;         ///< of one layer on one rank, without those of experts
  double expert_parameters = 0;  ///< likewise; their gradients are reduced over fewer ranks
  double trainable = 1;          ///< share of `parameters` that trains (LoRA: the adapters')
  double expert_trainable = 1;   ///< likewise of `expert_parameters`
  /// One Newton-Schulz step over its weight matrices as this rank holds them, and over its experts'
  /// (`OptimizerKind::Muon`); none of embeddings.
  Flops orthogonalised{};
  Flops expert_orthogonalised{};
  Bytes activations{};  ///< kept from forward to backward
  Bytes loss{};         ///< held beside these while the loss is taken
  Bytes boundary{};     ///< its output on one rank: what a pipeline sends on
  /// That the host starts for each kernel here.
  double launches_of_kernel = 1;

  double trained() const { return parameters * trainable; }
  double trained_experts() const { return expert_parameters * expert_trainable; }
};

/// Of the model's products: as the plan has it, else as the model has.
Precision asked_precision(const Model&, const Plan&);

/// The model's layers in forward order on a rank of that plan. InputError where the plan does not
/// divide the model (heads by tp, experts by ep, sequence by cp).
std::vector<LayerWork> layer_work(const Model&, const Plan&);

}  // namespace model
}  // namespace tofn
