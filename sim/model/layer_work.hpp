#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/collective_kind.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/shared_vector.hpp"
#include "sim/core/token_routing.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// Equal kernels: `count` products of `batch` matrices each, C[m,n] = A[m,k] B[k,n], or, with k =
/// 0, kernels that only move `bytes` each. Fused attention is the product that makes its output,
/// with the reduction of all its products in k.
struct Kernel {
  double m = 0;
  double n = 0;
  double k = 0;
  double batch = 1;
  double written = 2;  ///< bytes moved per element of C; 8 if fp32 gradients are accumulated
  Bytes bytes{};       ///< bytes read and written by one kernel; 0: those of a product's matrices
  double count = 1;
  double repeated = 0;  ///< share of the FLOPs that the forward pass has done before
  Arithmetic arithmetic = Arithmetic::Matmul;
  bool is_weight_gradient = false;  ///< zero-bubble schedules may run it later
  bool is_scan = false;  ///< of a state space: runs in 16 bits like attention, also in FP8 training
  bool is_routed = false;  ///< part of the experts, or of moving tokens to them and back

  Flops flops() const { return Flops{2 * m * n * k * batch * count}; }
};

/// Ranks that exchange data with each other.
enum class Group { Tensor, Context, Expert, Pipeline, Data };

/// `count` equal collectives in one pass. The payload is counted as in nccl-tests.
struct Exchange {
  Group group = Group::Tensor;
  CollectiveKind collective = CollectiveKind::AllReduce;
  Bytes payload{};
  double count = 1;
  /// Set for an exchange on two levels (`two_level_cost`), whose payload counts each token once.
  std::optional<TokenRouting> routing{};
};

struct PassWork {
  SharedVector<Kernel> kernels;
  SharedVector<Exchange>
      exchanges;  ///< tensor, context and expert; data and pipeline exchanges follow from the plan
};

/// True if one pass is a copy of the other, so that it takes as long.
inline bool share_work(const PassWork& a, const PassWork& b) {
  return a.kernels.shares_with(b.kernels) && a.exchanges.shares_with(b.exchanges);
}

/// Place of layers in a pipeline.
enum class StagePlace { Spread, First, Last };

/// `count` equal layers with the work of one rank on one micro-batch.
struct LayerWork {
  /// Kernels that software launches for each kernel of a transformer in these lists, which also
  /// stands for casts, views, copies and their counterparts in the backward pass. Megatron-LM on
  /// A100 starts the 62 kernels of a layer's forward, recomputed and backward pass in 3.5 ms
  /// whatever its size (steps of GPTs of 0.2 to 1.3 billion parameters,
  /// github.com/VIA-Research/vTrain), which is 4 launches of 14 us each.
  static constexpr double launches_with_kernel = 4;

  std::string name{};
  int count = 1;
  StagePlace place = StagePlace::Spread;
  PassWork forward{};
  PassWork backward{};           ///< without recomputation
  PassWork recompute{};          ///< part of the forward pass that backward runs again
  double parameters = 0;         ///< of one layer on one rank, without those of experts
  double expert_parameters = 0;  ///< of one layer; fewer ranks reduce their gradients
  double trainable = 1;          ///< share of `parameters` that trains (LoRA: the adapters')
  double expert_trainable = 1;   ///< share of `expert_parameters` that trains
  /// FLOPs of one Newton-Schulz step over the layer's weight matrices on this rank, and over those
  /// of its experts (`OptimizerKind::Muon`); zero for embeddings.
  Flops orthogonalised{};
  Flops expert_orthogonalised{};
  Bytes activations{};  ///< kept from forward to backward
  Bytes loss{};         ///< held in addition while the loss is computed
  Bytes boundary{};     ///< output on one rank, which a pipeline sends on
  /// Kernels that the host starts for each kernel listed here.
  double launches_of_kernel = 1;

  double trained() const { return parameters * trainable; }
  double trained_experts() const { return expert_parameters * expert_trainable; }
};

/// Precision of the model's products: the plan's if it states one, otherwise the model's.
Precision requested_precision(const Model&, const Plan&);

/// Layers of the model in forward order, as a rank of that plan runs them. InputError if the plan
/// does not divide the model (heads by tp, experts by ep, sequence by cp).
std::vector<LayerWork> layer_work(const Model&, const Plan&);

}  // namespace model
}  // namespace tofn
