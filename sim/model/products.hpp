#pragma once

#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace model {

/// A linear layer on one rank: `rows x inputs` activations by `inputs x outputs` weights.
/// `batch` products run in one kernel (experts, groups), `count` one after the other.
struct Linear {
  double rows = 0;
  double outputs = 0;
  double inputs = 0;
  double batch = 1;
  double count = 1;
};

/// Which gradients of a product are needed: of its input where something before it trains, of its
/// weights where they do.
struct NeededGradients {
  bool input = true;
  bool weight = true;
};

/// fp32 gradients are read, added to and written while micro-batches accumulate.
inline constexpr double accumulated_bytes = 8;

void add_forward(PassWork&, const Linear&, double element);
/// Gradients of weights are accumulated in fp32.
void add_backward(PassWork&, const Linear&, double element, NeededGradients);
/// `count` kernels that move so many bytes each.
void add_moved(PassWork&, double bytes, double count = 1);
/// Nothing where the group has one rank.
void add_exchange(PassWork&, Group, double ranks, CollectiveKind, double payload, double count = 1);

/// `first`, then `second`.
PassWork joined(PassWork first, const PassWork& second);
std::vector<Linear> joined(std::vector<Linear> first, const std::vector<Linear>& second);

/// One Newton-Schulz step over the weights of these products: of an m x n matrix, m <= n, products
/// X X', its square and that with X (kellerjordan.github.io/posts/muon: 4 m^2 n + 2 m^3).
Flops newton_schulz_step(const std::vector<Linear>&);

}  // namespace model
}  // namespace tofn
