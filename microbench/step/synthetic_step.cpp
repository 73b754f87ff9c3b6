#include "microbench/step/synthetic_step.hpp"

#include <algorithm>
#include <cstring>

namespace tofn::bench {
namespace {

/// Iterates from the last value to the first. Clang 14 does not compile std::views::reverse of
/// gcc's library.
template <class Values>
struct Reversed {
  Values& values;
  auto begin() const { return values.rbegin(); }
  auto end() const { return values.rend(); }
};
template <class Values>
Reversed<const Values> reversed(const Values& values) {
  return {values};
}

std::size_t elements(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

/// True if kernels support a single layout, as in 8 bits; random operands are then read in that
/// one.
bool has_one_layout(const std::string& type) { return type.starts_with("fp8"); }

}  // namespace

Step::Step(Processor& processor, GradientReducer* reducer, const StepProblem& problem)
    : processor_(processor),
      reducer_(reducer),
      passes_(problem.passes),
      bucket_(static_cast<std::size_t>(problem.bucket_bytes / sizeof(float))) {
  allocate(problem);
  prepare(problem);
}

void Step::allocate(const StepProblem& problem) {
  std::size_t activations = 1;
  std::size_t weights = 0;
  std::size_t results = 1;
  for (const StepLayer& layer : problem.layers)
    for (const auto& [m, n, k] : layer.forward) {
      activations = std::max({activations, elements(m, k), elements(m, n)});
      results = std::max({results, elements(m, n), elements(m, k), elements(k, n)});
      weights += elements(k, n);
    }
  const auto operand = static_cast<std::size_t>(processor_.operand_bytes(problem.type));
  // Two inputs: of the layer, and the gradients of its outputs.
  activations_ = processor_.allocate(2 * activations * operand);
  weights_ = processor_.allocate(std::max<std::size_t>(weights, 1) * operand);
  results_ = processor_.allocate(results * sizeof(float));
  const std::size_t count = std::max<std::size_t>(problem.gradients(), 1);
  gradients_ = processor_.allocate(count * sizeof(float));
  optimizer_ = processor_.allocate(3 * count * sizeof(float));
  processor_.randomize(*activations_, problem.type);
  processor_.randomize(*weights_, problem.type);
}

void Step::prepare(const StepProblem& problem) {
  const auto operand = static_cast<std::size_t>(processor_.operand_bytes(problem.type));
  const bool one_layout = has_one_layout(problem.type);
  std::vector<std::size_t> weight_starts;
  std::size_t weight = 0;
  for (const StepLayer& layer : problem.layers) {
    Layer& prepared = layers_.emplace_back();
    weight_starts.push_back(weight);
    for (const auto& [m, n, k] : layer.forward) {
      prepared.forward.push_back(processor_.gemm({.type = problem.type,
                                                  .m = m,
                                                  .n = n,
                                                  .k = k,
                                                  .transposes_b = one_layout,
                                                  .a = activations_->data(),
                                                  .b = weights_->data() + weight * operand,
                                                  .c = results_->data()}));
      weight += elements(k, n);
    }
  }
  std::size_t gradient = 0;
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const StepLayer& layer = problem.layers[i];
    layers_[i].first_backward =
        backward_kernels(problem, layer, weight_starts[i], gradient, /*accumulates=*/false);
    if (passes_ > 1)
      layers_[i].later_backward =
          backward_kernels(problem, layer, weight_starts[i], gradient, /*accumulates=*/true);
    gradient += layer.gradients;
    layers_[i].gradients_end = gradient;
  }
  auto* state = reinterpret_cast<float*>(optimizer_->data());
  update_ = processor_.adam({.parameters = state,
                             .gradients = reinterpret_cast<float*>(gradients_->data()),
                             .first_moments = state + gradient,
                             .second_moments = state + 2 * gradient,
                             .count = gradient});
}

Step::Kernels Step::backward_kernels(const StepProblem& problem, const StepLayer& layer,
                                     std::size_t weight, std::size_t first_gradient,
                                     bool accumulates) {
  const auto operand = static_cast<std::size_t>(processor_.operand_bytes(problem.type));
  const bool one_layout = has_one_layout(problem.type);
  const std::byte* inputs = activations_->data();
  const std::byte* output_gradients = inputs + activations_->size() / 2;
  for (const auto& [m, n, k] : layer.forward) weight += elements(k, n);
  std::size_t used = 0;  // elements of the layer's gradients
  Kernels kernels;
  for (const auto& [m, n, k] : reversed(layer.forward)) {
    weight -= elements(k, n);
    if (layer.has_input_gradients)
      kernels.push_back(processor_.gemm({.type = problem.type,
                                         .m = m,
                                         .n = k,
                                         .k = n,
                                         .transposes_b = true,
                                         .a = output_gradients,
                                         .b = weights_->data() + weight * operand,
                                         .c = results_->data()}));
    if (!layer.has_weight_gradients) continue;
    // A weight that is used again adds to its gradients. Gradients of a weight that another layer
    // owns are written where nobody reads.
    const std::size_t size = elements(k, n);
    const bool is_owned = size <= layer.gradients;
    const bool is_used_again = is_owned && used + size > layer.gradients;
    const std::size_t start = first_gradient + (is_used_again ? 0 : used);
    if (is_owned && !is_used_again) used += size;
    kernels.push_back(processor_.gemm(
        {.type = problem.type,
         .m = k,
         .n = n,
         .k = m,
         .transposes_a = !one_layout,
         .transposes_b = one_layout,
         .accumulates = is_owned && (is_used_again || accumulates),
         .has_fp32_result = true,
         .a = inputs,
         .b = output_gradients,
         .c = is_owned ? gradients_->data() + start * sizeof(float) : results_->data()}));
  }
  return kernels;
}

void Step::enqueue(StepMode mode) {
  reduced_ = 0;
  if (mode == StepMode::Communicate) {
    for (const Layer& layer : reversed(layers_))
      reduce(layer.gradients_end, &layer == &layers_.front());
    if (reducer_ != nullptr) reducer_->finish();
    return;
  }
  for (int pass = 1; pass <= passes_; ++pass) {
    forward();
    backward(pass, mode == StepMode::Overlapped && pass == passes_);
  }
  if (mode == StepMode::Sequential)
    for (const Layer& layer : reversed(layers_))
      reduce(layer.gradients_end, &layer == &layers_.front());
  if (reducer_ != nullptr && mode != StepMode::Compute) reducer_->finish();
  update_->enqueue();
}

void Step::forward() {
  for (const Layer& layer : layers_)
    for (const auto& kernel : layer.forward) kernel->enqueue();
}

void Step::backward(int pass, bool is_reduced) {
  for (const Layer& layer : reversed(layers_)) {
    for (const auto& kernel : pass == 1 ? layer.first_backward : layer.later_backward) {
      kernel->enqueue();
      if (is_reduced) poll();
    }
    if (is_reduced) reduce(layer.gradients_end, &layer == &layers_.front());
  }
}

/// Passes the reducer every full bucket once the gradients before `end` are complete; with
/// `is_last`, also the rest.
void Step::reduce(std::size_t end, bool is_last) {
  if (reducer_ == nullptr) return;
  auto* gradients = reinterpret_cast<float*>(gradients_->data());
  while (end - reduced_ >= bucket_ || (is_last && end > reduced_)) {
    const std::size_t count = std::min(bucket_, end - reduced_);
    reducer_->start(gradients + reduced_, count);
    reduced_ += count;
  }
}

void Step::fill_gradients(float value) {
  const std::vector<float> values(gradients_->size() / sizeof(float), value);
  gradients_->write(0, std::as_bytes(std::span(values)));
}

std::vector<float> Step::gradients() {
  const auto bytes = gradients_->read(0, gradients_->size());
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace tofn::bench
