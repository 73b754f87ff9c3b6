#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/name_table.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Measured gains of hiding the exchanges of experts. No constant was taken from them.
using namespace tofn;
using namespace tofn::test;

namespace {

double seconds_of(const Model& request, Plan plan, const char* cluster, double batch,
                  const char* stack) {
  static Library library = Library::load(configs);
  const KernelProfile profile = find_kernel_profile(configs, stack);
  const Cluster machine = library.cluster(cluster);
  const int accelerators = plan.accelerators();
  const Model model = as_run_by(profile.framework_defaults, request);
  plan = as_run_by(
      profile.framework_defaults, make_plan(plan, accelerators, batch),
      [](std::string_view name) { return name == "expert_dispatch" || name == "expert_overlap"; });
  return simulate(step_work(model, plan, machine, profile)).total.base();
}

// NVIDIA-NeMo/Megatron-Bridge@067f987, skills/nemo-mbridge-perf-moe-comm-overlap/SKILL.md: 24.71 s
// and with overlap 20.99 s a step, 16 H100, HybridEP, 1024 samples, balance forced.
struct Qwen30b {
  double exposed;  ///< s
  double hidden;
};

Qwen30b qwen_30b() {
  const Model model = find_model(
      configs, TOFN_SOURCE_DIR "/tests/unit/config/hugging_face/qwen3-30b-a3b.json", 4096);
  Plan plan{.data_parallel_size = 16, .gradient_accumulation = 64, .expert_parallel_size = 16};
  plan.expert_dispatch = ExpertDispatch::HybridEp;
  plan.sharded = Sharded::Optimizer;
  const double exposed = seconds_of(model, plan, "dgx-h100", 1024, "megatron-core");
  plan.expert_overlap = true;
  const double hidden = seconds_of(model, plan, "dgx-h100", 1024, "megatron-core");
  return {exposed, hidden};
}

}  // namespace

TEST_CASE("Qwen3 30B is within a fifth of what was measured, its exchanges hidden or not") {
  const auto [exposed, hidden] = qwen_30b();
  CHECK_THAT(exposed, WithinRel(24.71, 0.2));
  CHECK_THAT(hidden, WithinRel(20.99, 0.2));
}

// A known fault: launches set the simulated pace of this step, so hiding the exchanges gains
// nothing, whereas the measured gain was 15 %.
TEST_CASE("hidden exchanges of Qwen3 30B gain what was measured", "[!shouldfail]") {
  const auto [exposed, hidden] = qwen_30b();
  CHECK_THAT(hidden / exposed, WithinRel(20.99 / 24.71, 0.05));
}

// arXiv 2412.19437, sections 3.1 to 3.3 and table 1: 2.664 million H800-hours for 14.8 trillion
// tokens in steps of 15,360 samples of 4096 are 19.9 s a step, whatever else these hours held.
TEST_CASE("DeepSeek-V3's step under its own plan is within a fifth of its authors' hours") {
  Plan plan{.pipeline_parallel_size = 16,
            .data_parallel_size = 128,
            .gradient_accumulation = 120,
            .expert_parallel_size = 64};
  plan.expert_dispatch = ExpertDispatch::DeepEp;
  plan.fp8_dispatch = plan.send_overlap = true;
  plan.recompute = Recompute::Selective;
  plan.recompute_modules = {RecomputeModule::LatentUpProjection};
  plan.chunks_per_stage = 2;
  plan.schedule = pipeline_schedules.back().second;
  REQUIRE(name_in(pipeline_schedules, plan.schedule) == "dualpipe-v");
  plan.sharded = Sharded::Optimizer;
  const Model model = find_model(configs, "deepseek-v3");
  CHECK_THAT(seconds_of(model, plan, "deepseek-h800", 15360, "unknown"), WithinRel(19.9, 0.2));
}
