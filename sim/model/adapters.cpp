#include "sim/model/transformer_shape.hpp"

// LoRA (arXiv 2106.09685) adds two trained products beside a product whose weights are frozen: one
// down to a small rank and one up from it.

namespace tofn {
inline namespace model {

std::vector<Linear> column_adapter(const Linear& product, double rank, double ranks) {
  Linear down = product;
  down.outputs = rank / ranks;
  Linear up = product;
  up.inputs = rank;
  return {down, up};
}

std::vector<Linear> row_adapter(const Linear& product, double rank, double ranks) {
  Linear down = product;
  down.outputs = rank;
  Linear up = product;
  up.inputs = rank;
  up.outputs = product.outputs / ranks;
  return {down, up};
}

double weights(std::span<const Linear> products) {
  double sum = 0;
  for (const Linear& each : products) sum += each.inputs * each.outputs * each.batch;
  return sum;
}

}  // namespace model
}  // namespace tofn
