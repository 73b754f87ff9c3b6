#include "sim/training/critical_batch.hpp"

#include <cmath>

namespace tofn {
inline namespace training {

double critical_batch_tokens(double parameters, double tokens) {
  const double loss = 1.69 + 406.4 / std::pow(parameters, 0.34) + 410.7 / std::pow(tokens, 0.28);
  return 2.1e8 / std::pow(loss, 1 / 0.21);
}

double batch_price(double batch_tokens, double critical_tokens) {
  return batch_tokens / (batch_tokens + critical_tokens);
}

}  // namespace training
}  // namespace tofn
