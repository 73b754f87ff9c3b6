#include <functional>
#include <string>

#include "sim/simulation/step_source.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a step calibrated by measured runs refuses what they do not show") {
  const auto with = [](const std::function<void(Plan&)>& change) {
    Plan plan{.tensor_parallel_size = 4, .context_parallel_size = 2, .data_parallel_size = 8};
    change(plan);
    return refusal([&] { require_calibrated_plan(plan); });
  };
  const auto refused = [](const std::string& what) {
    return "the plan has " + what +
           ", which predictions from measured runs do not know; `tofn step` simulates it";
  };
  CHECK(with([](Plan&) {}) == "accepted");
  CHECK(with([](Plan& p) { p.pipeline_parallel_size = 2; }) == refused("a pipeline (pp > 1)"));
  CHECK(with([](Plan& p) { p.chunks_per_stage = 2; }) == refused("interleaved stages"));
  CHECK(with([](Plan& p) { p.schedule = PipelineSchedule::GPipe; }) ==
        refused("another pipeline schedule"));
  CHECK(with([](Plan& p) { p.expert_parallel_size = 2; }) ==
        refused("expert parallelism (ep > 1)"));
  CHECK(with([](Plan& p) { p.sequence_parallel = true; }) == refused("sequence parallelism"));
  CHECK(with([](Plan& p) { p.context_exchange = ContextExchange::AllGather; }) ==
        refused("all-gathered keys and values"));
  CHECK(with([](Plan& p) { p.recompute = Recompute::Full; }) == refused("recomputation"));
  CHECK(with([](Plan& p) { p.sharded = Sharded::Optimizer; }) == refused("sharded state"));
  CHECK(with([](Plan& p) { p.offloads_optimizer = true; }) == refused("an offloaded optimizer"));
  CHECK(with([](Plan& p) { p.compression = GradientCompression::Int8; }) ==
        refused("gradient compression"));
}
