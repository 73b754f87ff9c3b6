#ifdef TOFN_HAS_CPU  // the step runs on a real processor

#include "microbench/step/synthetic_step.hpp"

#include <string>
#include <utility>
#include <vector>

#include "microbench/cpu/cpu_processor.hpp"
#include "tests/catch.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

/// Records the order of the calls, and doubles the gradients as a sum over two equal ranks.
class Notebook : public GradientReducer {
 public:
  void start(float* gradients, std::size_t count) override {
    if (first_ == nullptr) first_ = gradients;
    notes += std::to_string(gradients - first_) + "+" + std::to_string(count) + " ";
    for (std::size_t i = 0; i < count; ++i) gradients[i] *= 2;
  }
  void poll() override { notes += "poll "; }
  void finish() override { notes += "finish"; }

  std::string notes;

 private:
  float* first_ = nullptr;
};

/// Three layers of 10 gradients (an embedding without a product), 7 (one product, no gradient of
/// its input) and 4.
StepProblem problem(double bucket_floats) {
  const GemmShape product{.m = 2, .n = 2, .k = 2};
  StepProblem made;
  made.type = "fp32";
  made.bucket_bytes = bucket_floats * 4;
  made.layers = {{.forward = {}, .gradients = 10},
                 {.forward = {product}, .has_input_gradients = false, .gradients = 7},
                 {.forward = {product}, .gradients = 4}};
  return made;
}

std::string notes_of(const StepProblem& problem, StepMode mode) {
  const auto processor = cpu_processor(1);
  Notebook notebook;
  Step step(*processor, &notebook, problem);
  step.enqueue(mode);
  const std::string first = std::exchange(notebook.notes, {});
  step.enqueue(mode);  // each step starts anew
  CHECK(notebook.notes == first);
  return first;
}

}  // namespace

TEST_CASE("full buckets leave as backward completes them, the last with the rest") {
  // Backward, the last layer's two products complete 4 gradients, the next one 11, the first 21.
  CHECK(notes_of(problem(8), StepMode::Overlapped) == "poll poll poll 0+8 8+8 16+5 finish");
  CHECK(notes_of(problem(4), StepMode::Overlapped) ==
        "poll poll 0+4 poll 4+4 8+4 12+4 16+4 20+1 finish");
}

TEST_CASE("a bucket that holds all gradients leaves once, at the end") {
  CHECK(notes_of(problem(21), StepMode::Overlapped) == "poll poll poll 0+21 finish");
  CHECK(notes_of(problem(1e6), StepMode::Overlapped) == "poll poll poll 0+21 finish");
}

TEST_CASE("buckets that fit exactly leave no empty one") {
  CHECK(notes_of(problem(7), StepMode::Communicate) == "0+7 7+7 14+7 finish");
}

TEST_CASE("a mode does what it says") {
  CHECK(notes_of(problem(8), StepMode::Sequential) == "0+8 8+8 16+5 finish");
  CHECK(notes_of(problem(8), StepMode::Communicate) == "0+8 8+8 16+5 finish");
  CHECK(notes_of(problem(8), StepMode::Compute).empty());
}

TEST_CASE("of several passes the last one's gradients are reduced") {
  StepProblem two = problem(8);
  two.passes = 2;
  CHECK(notes_of(two, StepMode::Overlapped) == "poll poll poll 0+8 8+8 16+5 finish");
}

TEST_CASE("every gradient is reduced once") {
  const auto processor = cpu_processor(1);
  Notebook notebook;
  Step step(*processor, &notebook, problem(8));
  step.fill_gradients(3);
  step.enqueue(StepMode::Communicate);
  CHECK(step.gradients() == std::vector<float>(21, 6));
}

TEST_CASE("a second pass adds to the gradients of the first") {
  const auto processor = cpu_processor(1);
  StepProblem request = problem(8);
  Step one(*processor, nullptr, request);
  request.passes = 2;
  Step two(*processor, nullptr, request);
  one.enqueue(StepMode::Compute);
  two.enqueue(StepMode::Compute);
  const auto once = one.gradients();
  const auto twice = two.gradients();
  REQUIRE(once[0] != 0);
  for (std::size_t i = 0; i < once.size(); ++i) CHECK_THAT(twice[i], WithinAbs(2 * once[i], 1e-6));
}

TEST_CASE("work and gradients of a problem are those of its layers") {
  // Forward takes 2 x 2 x 2 x 2 = 16 flops, and each gradient as many: 16 + 16, and 16 + 16 + 16.
  CHECK(problem(8).flops() == 80);
  CHECK(problem(8).gradients() == 21);
}

#endif
