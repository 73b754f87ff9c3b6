#include <algorithm>

#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_energy.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/mixed_machines.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr double mixed_laws_rounding = 1e-11;

KernelProfile profile_with_host() {
  KernelProfile profile = toy_profile();
  profile.host_per_kernel = {Seconds{20e-6}, "made up"};
  profile.rank_noise = {0.01, "made up"};
  return profile;
}

/// Calls f(plan, nodes, stages) for ways to split the toy model over four nodes of eight, and for
/// the nodes or stages that another machine may take.
template <class F>
void for_each_mix(F f) {
  for (const int tensor : {1, 8})
    for (const int stages : {1, 2, 4})
      for (const int chunks : {1, 2})
        for (const Sharded sharded : {Sharded::Nothing, Sharded::Optimizer, Sharded::Parameters}) {
          const int replicas = 32 / tensor / stages;
          if (stages * chunks > 4 || (stages == 1 && chunks > 1)) continue;
          const Plan plan{.tensor_parallel_size = tensor,
                          .pipeline_parallel_size = stages,
                          .data_parallel_size = replicas,
                          .gradient_accumulation = 8,
                          .chunks_per_stage = chunks,
                          .sharded = replicas > 1 ? sharded : Sharded::Nothing};
          INFO("tp " << tensor << " pp " << stages << " chunks " << chunks << " dp " << replicas);
          for (int nodes = stages; nodes < 4 && replicas > 1; nodes += stages)
            f(plan, nodes, StageRange{});
          for (int first = 0; first < stages && stages > 1; ++first)
            for (int end = first + 1; end <= stages; ++end)
              if (end - first < stages)
                f(plan, (end - first) * 4 / stages, StageRange{.first = first, .end = end});
        }
}

SimulatedStep step_on(const Plan& plan, const Cluster& cluster,
                      const HeterogeneousNodes& heterogeneous = {}) {
  return simulate_step(toy_model(), plan, cluster, profile_with_host(), heterogeneous);
}

double seconds(const Plan& plan, const Cluster& cluster,
               const HeterogeneousNodes& heterogeneous = {}) {
  return step_on(plan, cluster, heterogeneous).times.total.base();
}

MixedNodes mix(const Cluster& with, int nodes, const StageRange& stages) {
  return {.cluster = with, .nodes = nodes, .stages = stages};
}

}  // namespace

TEST_CASE("a mixed job is no faster than the fast kind alone and no slower than the slow one") {
  for_each_mix([](const Plan& plan, int nodes, const StageRange& stages) {
    const double fast = seconds(plan, toy_machine());
    const double slow = seconds(plan, half_machine());
    const double mixed =
        seconds(plan, toy_machine(), {.mixed = mix(half_machine(), nodes, stages)});
    const double turned =
        seconds(plan, half_machine(), {.mixed = mix(toy_machine(), nodes, stages)});
    for (const double each : {mixed, turned}) {
      CHECK(each >= fast * (1 - mixed_laws_rounding));
      CHECK(each <= slow * (1 + mixed_laws_rounding));
    }
    CHECK(mixed > fast);
  });
}

TEST_CASE(
    "micro-batches dealt by speed cost at most as much as equal ones, and no less than none") {
  for_each_mix([](const Plan& plan, int nodes, const StageRange& stages) {
    if (!stages.is_empty() || plan.sharded >= Sharded::Gradients) return;
    MixedNodes mixed = mix(half_machine(), nodes, stages);
    const double even = seconds(plan, toy_machine(), {.mixed = mixed});
    mixed.deals_by_speed = true;
    const SimulatedStep dealt = step_on(plan, toy_machine(), {.mixed = mixed});
    CHECK(dealt.times.total.base() <= even * (1 + mixed_laws_rounding));
    CHECK(dealt.times.total.base() >= seconds(plan, toy_machine()) * (1 - mixed_laws_rounding));
    int micro_batches = 0;
    for (const AcceleratorKind& kind : dealt.kinds)
      micro_batches += kind.replicas * kind.micro_batches;
    CHECK(micro_batches == plan.data_parallel_size * plan.gradient_accumulation);
  });
}

TEST_CASE("layers moved by speed cost at most as much as equal ones") {
  for_each_mix([](const Plan& plan, int nodes, const StageRange& stages) {
    if (stages.is_empty() || plan.chunks_per_stage > 1) return;
    MixedNodes mixed = mix(half_machine(), nodes, stages);
    const double even = seconds(plan, toy_machine(), {.mixed = mixed});
    mixed.deals_by_speed = true;
    const SimulatedStep dealt = step_on(plan, toy_machine(), {.mixed = mixed});
    CHECK(dealt.times.total.base() <= even * (1 + mixed_laws_rounding));
  });
}

TEST_CASE("a cluster mixed with itself is that cluster, to the last bit") {
  for_each_mix([](const Plan& plan, int nodes, const StageRange& stages) {
    for (const SlowNode& slow : {SlowNode{}, SlowNode{.kernels = 1.3, .link = 2}}) {
      const SimulatedStep plain = step_on(plan, toy_machine(), {.slow = slow});
      for (const bool deals : {false, true}) {
        MixedNodes itself = mix(toy_machine(), nodes, stages);
        itself.deals_by_speed = deals && stages.is_empty() && plan.sharded < Sharded::Gradients;
        const SimulatedStep mixed = step_on(plan, toy_machine(), {.slow = slow, .mixed = itself});
        CHECK(mixed.times.total == plain.times.total);
        CHECK(mixed.times.parts == plain.times.parts);
        CHECK(mixed.times.communication == plain.times.communication);
        CHECK(mixed.seconds.low == plain.seconds.low);
        CHECK(mixed.seconds.high == plain.seconds.high);
        CHECK(mixed.memory_bound == plain.memory_bound);
        CHECK(mixed.model_flops_utilisation() == plain.model_flops_utilisation());
        if (stages.is_empty() && !slow.is_slower())  // each kind draws by its own busiest stage
          CHECK_THAT(energy_of(mixed).total().base(),
                     WithinRel(energy_of(plain).total().base(), 1e-9));
        for (std::size_t i = 0; i < mixed.memory.size(); ++i)
          CHECK(mixed.memory[i].total() == plain.memory[i % plain.memory.size()].total());
      }
    }
  });
}

TEST_CASE("a slow node never shortens the step of a mixed job") {
  for_each_mix([](const Plan& plan, int nodes, const StageRange& stages) {
    HeterogeneousNodes heterogeneous{.mixed = mix(half_machine(), nodes, stages)};
    const double typical = seconds(plan, toy_machine(), heterogeneous);
    for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage) {
      heterogeneous.slow = {.kernels = 1.5, .link = 2, .stage = stage};
      const double slow = seconds(plan, toy_machine(), heterogeneous);
      CHECK(slow >= typical * (1 - mixed_laws_rounding));
      CHECK(slow <= 2 * typical * (1 + mixed_laws_rounding));
    }
  });
}

// The second machine of each pair is slower in everything. MI325X and MI300X are no such pair,
// because the faster chip has the slower network; nor are B200 and H100, because NVLink 5 fills its
// pipelines slower.
TEST_CASE("known machines mix within the bounds of their kinds") {
  for (const auto& [fast, slow] :
       {std::pair("dgx-h100", "dgx-a100"), {"dgx-h200", "dgx-a100"}, {"dgx-h200", "dgx-h100"}})
    for_each_mix([&](const Plan& plan, int nodes, const StageRange& stages) {
      INFO(fast << " and " << slow);
      const Cluster own = machine(fast);
      const Cluster other = machine(slow);
      const double mixed = seconds(plan, own, {.mixed = mix(other, nodes, stages)});
      const double first = seconds(plan, own);
      const double second = seconds(plan, other);
      CHECK(mixed >= std::min(first, second) * (1 - mixed_laws_rounding));
      CHECK(mixed <= std::max(first, second) * (1 + mixed_laws_rounding));
    });
}
