#pragma once

#include <optional>
#include <span>

#include "sim/workload/convergence.hpp"

namespace tofn {
inline namespace training {

/// What a loss takes in samples for a batch: S = S_min (1 + batch / critical batch), the form of
/// McCandlish et al., arXiv 1812.06162, equation 2.11. Of the samples that a batch takes, the share
/// that a very small one would not: 0..1.
double batch_price(double batch, double critical_batch);
/// Samples at a batch over those at another.
double samples_ratio(double batch, double other_batch, double critical_batch);

/// Of language models, in tokens: Zhang et al. (arXiv 2410.21676) find 22.91 tokens^0.47 to be the
/// batch that takes a fifth more than the smallest ones, whatever the model's size; in the form
/// above that is a fifth of the critical one. In doubt by a factor of 3 either way (assumed): the
/// reference points of Llama 3.1 8B, which did not set it, say a third of it (a test).
double critical_batch_tokens(double tokens);
inline constexpr double critical_batch_uncertainty = 3;

/// That form fitted to reference points of two batches or more, by least relative squares; absent
/// where samples do not grow with the batch.
struct BatchLaw {
  double least_samples = 0;  ///< S_min
  double critical_batch = 0;
  double worst_error = 0;  ///< |law/point - 1|

  double samples(double batch) const { return least_samples * (1 + batch / critical_batch); }
};
std::optional<BatchLaw> fit_batch_law(std::span<const ReferencePoint>);

}  // namespace training
}  // namespace tofn
