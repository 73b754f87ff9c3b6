#include "sim/answers/observed_step.hpp"

#include <string>

#include "sim/answers/step_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Llama 3 8B on one node of H100 with NeMo.
struct Node {
  Library library = Library::load(configs);
  KernelProfile stack = find_kernel_profile(configs, "nemo");
  StepCase step{.model = find_model(configs, "llama3-8b"),
                .plan = {.data_parallel_size = 8, .sharded = Sharded::Parameters},
                .cluster = library.cluster("dgx-h100"),
                .measured = {}};

  SimulatedStep by(const KernelProfile& profile) const {
    return simulate_step(step.model, step.plan, step.cluster, profile);
  }
  KernelProfile observed(Seconds time) {
    step.measured = time;
    return with_observed(stack, step);
  }
};

std::string all_notes(const SimulatedStep& step) {
  std::string all;
  for (const std::string& each : step.substitutions) all += each + '\n';
  return all;
}

}  // namespace

TEST_CASE("the step of the job that was measured is the measurement") {
  Node node;
  const Seconds typical = node.by(node.stack).times.total;
  const SimulatedStep step = node.by(node.observed(1.1 * typical));
  CHECK_THAT(step.times.total / typical, WithinRel(1.1, 1e-9));
  Seconds parts;
  for (const Seconds part : step.times.parts) parts += part;
  CHECK_THAT(parts / step.times.total, WithinRel(1.0, 1e-9));
  // The interval is as wide as equal runs differ: 1.645 deviations to either side.
  const double run = node.stack.uncertainty.discrepancy.run;
  CHECK_THAT(std::log(step.seconds.high / step.seconds.low), WithinRel(2 * 1.645 * run, 0.05));
  CHECK(step.seconds.low < step.times.total.base());
  CHECK(step.seconds.high > step.times.total.base());
  CHECK_THAT(all_notes(step), ContainsText("a step of 8 samples of llama3-8b on 8 dgx-h100 in "));
  CHECK_THAT(all_notes(step), ContainsText("parameters sharded"));
  CHECK_THAT(all_notes(step), !ContainsText("WARNING"));
}

TEST_CASE("another plan, size or machine than the measured one is predicted") {
  Node node;
  const Seconds typical = node.by(node.stack).times.total;
  const KernelProfile known = node.observed(1.1 * typical);
  Node other;
  other.step.plan.recompute = Recompute::Full;
  const double slower = other.by(known).times.total / other.by(node.stack).times.total;
  CHECK(slower > 1.01);  // moved by the measurement,
  CHECK(slower < 1.1);   // but by less, because one measurement is noisy and the stack is uncertain
}

TEST_CASE("a measurement far off what the stack takes is told") {
  Node node;
  const Seconds typical = node.by(node.stack).times.total;
  const std::string slow = all_notes(node.by(node.observed(2 * typical)));
  CHECK_THAT(slow, ContainsText("standard deviations longer"));
  CHECK_THAT(slow, ContainsText("something else is slow"));
}

TEST_CASE("a measurement that cannot be is refused") {
  Node node;
  const Seconds typical = node.by(node.stack).times.total;
  CHECK_THAT(refusal([&] { node.observed(0.1 * typical); }), ContainsText("% of the peak (MFU)"));
  CHECK_THAT(refusal([&] { node.observed(Seconds{1e-9}); }), ContainsText("% of the peak (MFU)"));
  node.step.plan.sharded = Sharded::Nothing;
  CHECK_THAT(refusal([&] { node.observed(typical); }), ContainsText("cannot have run: it needs"));
}
