#pragma once

namespace tofn {
inline namespace training {

/// What language models need in tokens for a batch: E = E_min (1 + batch / critical batch)
/// (McCandlish et al., arXiv 1812.06162, equation 2.11). The critical batch at a loss L is
/// 2.1e8 / L^(1/0.21) tokens (Kaplan et al., arXiv 2001.08361, equation 5.3), the loss at the end
/// of a training is 1.69 + 406.4 / parameters^0.34 + 410.7 / tokens^0.28 (Hoffmann et al., arXiv
/// 2203.15556, appendix D.3). Fitted to other data and tokenizers than a job's: in doubt by a
/// factor of 2 either way (assumed).
double critical_batch_tokens(double parameters, double tokens);
inline constexpr double critical_batch_doubt = 2;

/// Of the tokens that a batch takes, the share that a very small one would not: 0..1.
double batch_price(double batch_tokens, double critical_tokens);

}  // namespace training
}  // namespace tofn
