#include <algorithm>

#include "sim/simulation/plan_gradients.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Share of gradients that top-k sends, each as an fp32 value and its index: 1 %, between the 0.1 %
/// of Lin et al., "Deep gradient compression", ICLR 2018, and the few % of others (assumed).
constexpr double top_k_share = 0.01;
constexpr double top_k_bytes = 8;
/// Vogels, Karimireddy, Jaggi, "PowerSGD", NeurIPS 2019: rank 4 for language models.
constexpr double power_sgd_rank = 4;

// Bytes moved per parameter, counted. Unsent values are kept in fp32 and added in the next step.
constexpr double int8_traffic = 4 + 1 + 1 + 4;           // read, write; read, write back
constexpr double top_k_traffic = 4 + 8 + 4 * 4 + 4;      // read, error, radix select, write back
constexpr double power_sgd_traffic = 8 + 4 + 4 + 4 + 4;  // error, M Q, M^T P, P Q^T, write back

/// Elements of the two factors of the layer's weights, per element of the weights: rank (m+n)/mn.
double factor_share(const LayerWork& layer) {
  double weights = 0;
  double factors = 0;
  for (const Kernel& kernel : layer.backward.kernels) {
    if (!kernel.is_weight_gradient) continue;
    const double matrices = kernel.batch * kernel.count;
    weights += matrices * kernel.m * kernel.n;
    factors += matrices * std::min(power_sgd_rank * (kernel.m + kernel.n), kernel.m * kernel.n);
  }
  return weights > 0 ? factors / weights : 1;
}

}  // namespace

CompressedGradients compress(GradientCompression compression, const LayerWork& layer,
                             double parameters, double gradient_bytes, int ranks) {
  const Bytes whole{parameters * gradient_bytes};
  switch (compression) {
    case GradientCompression::None:
      break;
    case GradientCompression::Int8:
      return {CollectiveKind::AllReduce, Bytes{parameters}, Bytes{parameters * int8_traffic}};
    case GradientCompression::TopK:  // ranks pick different values, so all gather all
      return {CollectiveKind::AllGather, Bytes{parameters * top_k_share * top_k_bytes * ranks},
              Bytes{parameters * top_k_traffic}};
    case GradientCompression::PowerSgd:
      return {CollectiveKind::AllReduce, whole * factor_share(layer),
              Bytes{parameters * power_sgd_traffic}};
  }
  return {CollectiveKind::AllReduce, whole, Bytes{}};
}

}  // namespace simulation
}  // namespace tofn
