#pragma once

#include <optional>
#include <span>

#include "sim/workload/convergence.hpp"

namespace tofn {
inline namespace training {

/// Share, 0..1, of the samples at this batch that a very small batch would not need. Samples to a
/// loss follow S = S_min (1 + batch / critical batch), the form of McCandlish et al., arXiv
/// 1812.06162, equation 2.11.
double batch_price(double batch, double critical_batch);
/// Samples at one batch over those at another.
double samples_ratio(double batch, double other_batch, double critical_batch);

/// Critical batch of language models, in tokens. Zhang et al. (arXiv 2410.21676) find that a batch
/// of 22.91 tokens^0.47 needs a fifth more than the smallest ones, whatever the model's size; in
/// the form above that is a fifth of the critical batch. Its uncertainty is a factor of 3 either
/// way (assumed): the reference points of Llama 3.1 8B, which were not used to set it, give a third
/// of it (a test).
double critical_batch_tokens(double tokens);
inline constexpr double critical_batch_uncertainty = 3;

/// The form above, fitted to reference points of two batches or more by least relative squares;
/// absent if samples do not grow with the batch.
struct BatchLaw {
  double least_samples = 0;  ///< S_min
  double critical_batch = 0;
  double worst_error = 0;  ///< |law/point - 1|

  double samples(double batch) const { return least_samples * (1 + batch / critical_batch); }
};
std::optional<BatchLaw> fit_batch_law(std::span<const ReferencePoint>);

}  // namespace training
}  // namespace tofn
