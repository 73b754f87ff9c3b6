#include "sim/answers/observed_step.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/random.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/laws/machines.hpp"

// Tests that a measured step is the answer for its own job, whatever the job.
using namespace tofn;
using namespace tofn::test;

namespace {

template <class T>
T one_of(Random& random, std::initializer_list<T> values) {
  return *(values.begin() +
           static_cast<int>(random.uniform() * static_cast<double>(values.size())));
}

struct DrawnJob {
  Model model;
  Cluster cluster;
  KernelProfile stack;
  int accelerators;
  double batch;

  explicit DrawnJob(Random& random)
      : model(find_model(
            configs, one_of(random, {"llama3-8b", "llama2-13b", "llama3-70b", "mixtral-8x7b"}))),
        cluster(machine(one_of(random, {"dgx-h100", "dgx-h200", "dgx-b200"}))),
        stack(find_kernel_profile(
            configs, one_of(random, {"nemo", "megatron-core", "torchtitan", "unknown"}))),
        accelerators(one_of(random, {32, 64, 128})),
        batch(one_of(random, {1, 2, 8}) * 128) {}

  RunPoint point(const KernelProfile& by, std::optional<Plan> observed = {}) const {
    StatedRun run{.name = model.name, .phases = {{.model = model}}};
    run.phases.front().stretches = {{.batch = batch, .samples = 1000 * batch}};
    return run_point({.of = ModelRun{.run = run,
                                     .cluster = cluster,
                                     .stack = by,
                                     .observed_plan = std::move(observed)}},
                     accelerators);
  }
};

}  // namespace

TEST_CASE("where plan and size are the measured ones, the step is the measured one") {
  Random random(20261123);
  for (int drawn = 0; drawn < 20; ++drawn) {
    const DrawnJob job(random);
    const RunPoint before = job.point(job.stack);
    const SimulatedStep& typical = *before.estimate->simulated();
    const Seconds measured = (0.85 + 0.5 * random.uniform()) * typical.times.total;
    INFO(job.model.name << " on " << job.accelerators << " " << job.cluster.name << " by "
                        << job.stack.name);
    const KernelProfile known = with_observed(
        job.stack,
        {.model = job.model, .plan = typical.plan, .cluster = job.cluster, .measured = measured});
    const RunFigures after = job.point(known, typical.plan).estimate->expected;
    CHECK_THAT(after.step_seconds / measured.base(), WithinRel(1.0, 1e-3));
  }
}
