#include "microbench/step/problem.hpp"

namespace tofn::bench {

double StepProblem::flops() const {
  double flops = 0;
  for (const StepLayer& layer : layers)
    for (const GemmShape& shape : layer.forward)
      flops += shape.flops() *
               (1 + (layer.has_input_gradients ? 1 : 0) + (layer.has_weight_gradients ? 1 : 0));
  return flops * passes;
}

std::size_t StepProblem::gradients() const {
  std::size_t elements = 0;
  for (const StepLayer& layer : layers) elements += layer.gradients;
  return elements;
}

}  // namespace tofn::bench
