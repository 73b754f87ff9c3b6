#include "sim/app/log_arguments.hpp"

#include <fmt/format.h>

#include "sim/app/plan_options.hpp"
#include "sim/app/shared_options.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Value of the option that the log states; empty if it states none.
std::string logged_text(const AnyOption& option, const std::string& log,
                        const options::variables_map& given = {}) {
  return option.text(with_log_arguments(given, log, "a.log")).value_or("");
}

std::string dumped(const std::string& name, const std::string& value) {
  return fmt::format("  {} ........................ {}\n", name, value);
}

}  // namespace

TEST_CASE("a log that dumps the format of fp8 states that precision", "[app]") {
  const auto& precision = plan_option(&Plan::precision);
  CHECK(logged_text(precision, dumped("fp8", "hybrid")) == "fp8");
  CHECK(logged_text(precision, dumped("fp8_format", "e4m3")) == "fp8");
  CHECK(logged_text(precision, dumped("fp8", "None")).empty());
  CHECK(logged_text(precision, dumped("fp8", "hybrid") + dumped("fp4", "e2m1")) == "fp4");
}

TEST_CASE("an argument that a log dumps as off is stated as off", "[app]") {
  CHECK(logged_text(plan_option(&Plan::sharded), dumped("use_distributed_optimizer", "False")) ==
        "nothing");
  CHECK(logged_text(plan_option(&Plan::chunks_per_stage),
                    dumped("virtual_pipeline_model_parallel_size", "None")) == "1");
  CHECK(logged_text(plan_option(&Plan::recompute), dumped("recompute_granularity", "None")) ==
        "none");
  CHECK(logged_text(plan_option(&Plan::recompute), dumped("checkpoint_activations", "False")) ==
        "none");
  CHECK(logged_text(plan_option(&Plan::data_overlap), dumped("overlap_grad_reduce", "False")) ==
        "off");
}

TEST_CASE("an argument that is off yields to another one for the same option", "[app]") {
  const auto& sharded = plan_option(&Plan::sharded);
  const std::string off = dumped("use_distributed_optimizer", "False");
  CHECK(logged_text(sharded, off + dumped("zero_stage", "1")) == "optimizer");
  CHECK(logged_text(sharded, off + dumped("use_torch_fsdp2", "True")) == "parameters");
  CHECK(logged_text(sharded, dumped("use_distributed_optimizer", "True") +
                                 dumped("data_parallel_sharding_strategy", "optim_grads")) ==
        "gradients");
}

TEST_CASE("a stage of ZeRO is the sharding of its number", "[app]") {
  const auto& sharded = plan_option(&Plan::sharded);
  const std::string logger = "[2026-11-30 08:00:00,000] [INFO] [config.py:1000:print] ";
  CHECK(logged_text(sharded, logger + dumped("zero_optimization_stage", "0")) == "nothing");
  CHECK(logged_text(sharded, logger + dumped("zero_optimization_stage", "1")) == "optimizer");
  CHECK(logged_text(sharded, logger + dumped("zero_config", "stage=2 offload=None")) ==
        "gradients");
  CHECK(logged_text(sharded, "    \"zero_optimization\": {\n        \"stage\": 3, \n") ==
        "parameters");
  CHECK(logged_text(sharded, dumped("zero_optimization_stage", "4")).empty());
}

TEST_CASE("sentences of torchtitan state its precision and recomputation", "[app]") {
  const std::string titan = "[titan] 2026-11-30 08:00:04,000 - root - INFO - ";
  CHECK(logged_text(plan_option(&Plan::precision), titan + "Float8 training active\n") == "fp8");
  CHECK(logged_text(plan_option(&Plan::recompute),
                    titan + "Applied full activation checkpointing to the model\n") == "full");
  CHECK(logged_text(plan_option(&Plan::recompute),
                    titan + "Applied selective activation checkpointing to the model\n") ==
        "selective");
}

TEST_CASE("an option that a log contradicts is refused with the line", "[app]") {
  const auto& sharded = plan_option(&Plan::sharded);
  const auto given = with_option({}, sharded, "optimizer");
  CHECK(logged_text(sharded, dumped("use_distributed_optimizer", "True"), given) == "optimizer");
  CHECK_THROWS_WITH(logged_text(sharded, dumped("use_distributed_optimizer", "False"), given),
                    "a.log:1:54: --sharded: says optimizer, but the log says False");
}
