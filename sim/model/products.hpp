#pragma once

#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace model {

/// A linear layer on one rank: `rows x inputs` activations by `inputs x outputs` weights. `batch`
/// products run in one kernel (experts, groups), `count` one after the other.
struct Linear {
  double rows = 0;
  double outputs = 0;
  double inputs = 0;
  double batch = 1;
  double count = 1;
};

/// Gradients that a product needs: that of its input if something before it trains, that of its
/// weights if they train.
struct NeededGradients {
  bool input = true;
  bool weight = true;
};

/// Bytes per fp32 gradient that is read, added to and written while micro-batches accumulate.
inline constexpr double accumulated_bytes = 8;

void add_forward(PassWork&, const Linear&, double element);
/// Adds the products of the backward pass. Gradients of weights are accumulated in fp32.
void add_backward(PassWork&, const Linear&, double element, NeededGradients);
/// Adds `count` kernels that move `bytes` each.
void add_moved(PassWork&, double bytes, double count = 1);
/// Adds `count` collectives; none if the group has one rank.
void add_exchange(PassWork&, Group, double ranks, CollectiveKind, double payload, double count = 1);

/// Returns `first` followed by `second`.
PassWork joined(PassWork first, const PassWork& second);
std::vector<Linear> joined(std::vector<Linear> first, const std::vector<Linear>& second);

/// FLOPs of one Newton-Schulz step over the weights of these products. An m x n matrix X, m <= n,
/// takes the products X X', its square and that times X (kellerjordan.github.io/posts/muon: 4 m^2 n
/// + 2 m^3).
Flops newton_schulz_step(const std::vector<Linear>&);

}  // namespace model
}  // namespace tofn
