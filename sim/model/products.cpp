#include "sim/model/products.hpp"

#include <algorithm>

namespace tofn {
inline namespace model {

void add_forward(PassWork& pass, const Linear& linear, double element) {
  pass.kernels.push_back({.m = linear.rows,
                          .n = linear.outputs,
                          .k = linear.inputs,
                          .batch = linear.batch,
                          .written = element,
                          .count = linear.count});
}

void add_backward(PassWork& pass, const Linear& linear, double element, NeededGradients needed) {
  if (needed.input)
    pass.kernels.push_back({.m = linear.rows,
                            .n = linear.inputs,
                            .k = linear.outputs,
                            .batch = linear.batch,
                            .written = element,
                            .count = linear.count});
  if (needed.weight)
    pass.kernels.push_back({.m = linear.inputs,
                            .n = linear.outputs,
                            .k = linear.rows,
                            .batch = linear.batch,
                            .written = accumulated_bytes,
                            .count = linear.count,
                            .is_weight_gradient = true});
}

void add_moved(PassWork& pass, double bytes, double count) {
  pass.kernels.push_back({.bytes = Bytes{bytes}, .count = count});
}

void add_exchange(PassWork& pass, Group group, double ranks, CollectiveKind collective,
                  double payload, double count) {
  if (ranks > 1)
    pass.exchanges.push_back(
        {.group = group, .collective = collective, .payload = Bytes{payload}, .count = count});
}

PassWork joined(PassWork first, const PassWork& second) {
  first.kernels.append(second.kernels);
  first.exchanges.append(second.exchanges);
  return first;
}

std::vector<Linear> joined(std::vector<Linear> first, const std::vector<Linear>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

Flops newton_schulz_step(const std::vector<Linear>& products) {
  Flops sum;
  for (const Linear& each : products) {
    const double m = std::min(each.inputs, each.outputs);
    const double n = std::max(each.inputs, each.outputs);
    sum += Flops{each.batch * (4 * m * m * n + 2 * m * m * m)};
  }
  return sum;
}

}  // namespace model
}  // namespace tofn
