#pragma once

#include <memory>
#include <vector>

#include "microbench/collective/gradient_reducer.hpp"
#include "microbench/compute/processor.hpp"
#include "microbench/step/problem.hpp"

namespace tofn::bench {

/// The step on this rank: operands, gradients in buckets, optimizer state and the kernels on them.
/// Inputs of products are random and constant; their results are never read.
class Step {
 public:
  /// `reducer` is null on a single rank. Throws std::runtime_error if the memory is too small.
  Step(Processor&, GradientReducer* reducer, const StepProblem&);

  /// Enqueues one step behind earlier work of the processor.
  void enqueue(StepMode);
  /// Lets the reducer proceed, and throws its failures.
  void poll() {
    if (reducer_ != nullptr) reducer_->poll();
  }

  /// Fill the gradients with `value`, and read them.
  void fill_gradients(float value);
  std::vector<float> gradients();

 private:
  using Kernels = std::vector<std::unique_ptr<PreparedKernel>>;
  struct Layer {
    Kernels forward;
    Kernels first_backward;         ///< in the order of execution; overwrites the gradients
    Kernels later_backward;         ///< in further passes: adds to the gradients
    std::size_t gradients_end = 0;  ///< all gradients before are complete after its backward pass
  };

  void allocate(const StepProblem&);
  void prepare(const StepProblem&);
  Kernels backward_kernels(const StepProblem&, const StepLayer&, std::size_t weight,
                           std::size_t first_gradient, bool accumulates);
  void forward();
  void backward(int pass, bool is_reduced);
  void reduce(std::size_t end, bool is_last);

  Processor& processor_;
  GradientReducer* reducer_;
  int passes_;
  std::size_t bucket_ = 0;   // elements
  std::size_t reduced_ = 0;  // elements of this step's gradients passed to the reducer
  std::unique_ptr<Buffer> activations_;
  std::unique_ptr<Buffer> weights_;
  std::unique_ptr<Buffer> results_;
  std::unique_ptr<Buffer> gradients_;  // fp32, in the order in which backward completes them
  std::unique_ptr<Buffer> optimizer_;  // fp32 parameters and two moments
  std::vector<Layer> layers_;
  std::unique_ptr<PreparedKernel> update_;
};

}  // namespace tofn::bench
