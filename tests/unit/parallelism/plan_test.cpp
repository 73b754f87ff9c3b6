#include "sim/parallelism/plan.hpp"

#include <limits>
#include <string>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string refusal_of(const PlanRequest& request) {
  return refusal([&] { static_cast<void>(make_plan(request)); });
}

PlanRequest request(int accelerators, double batch) {
  PlanRequest made;
  made.accelerators = accelerators;
  made.global_batch = batch;
  return made;
}

}  // namespace

TEST_CASE("what is left after splitting a sample is data parallel") {
  PlanRequest wanted = request(64, 16);
  wanted.tensor_parallel_size = 4;
  wanted.context_parallel_size = 2;
  const Plan plan = make_plan(wanted);
  CHECK(plan.data_parallel_size == 8);
  CHECK(plan.micro_batch == 2);
  CHECK(plan.accelerators() == 64);
  CHECK(plan.model_parallel_size() == 8);
  CHECK(plan.global_batch() == 16);
}

TEST_CASE("accumulation divides the batch again") {
  PlanRequest wanted = request(4, 8);
  wanted.tensor_parallel_size = 4;
  wanted.gradient_accumulation = 8;
  const Plan plan = make_plan(wanted);
  CHECK(plan.data_parallel_size == 1);
  CHECK(plan.micro_batch == 1);
  CHECK(plan.global_batch() == 8);
}

TEST_CASE("samples of a pass are whole within rounding") {
  CHECK(Plan{}.has_whole_samples());
  Plan split;
  split.micro_batch = 0.1 + 0.2 + 0.7;
  CHECK(split.has_whole_samples());
  split.micro_batch = 1.5;
  CHECK_FALSE(split.has_whole_samples());
}

TEST_CASE("a whole plan keeps its choices and gets its replicas and micro-batch") {
  const Plan plan = make_plan(Plan{.tensor_parallel_size = 4,
                                   .pipeline_parallel_size = 2,
                                   .gradient_accumulation = 8,
                                   .schedule = PipelineSchedule::ZeroBubble,
                                   .recompute = Recompute::Full},
                              64, 128);
  CHECK(plan.data_parallel_size == 8);
  CHECK(plan.micro_batch == 2);
  CHECK(plan.schedule == PipelineSchedule::ZeroBubble);
  CHECK(plan.recompute == Recompute::Full);
}

TEST_CASE("ranks are numbered tensor first, then context, then data") {
  PlanRequest wanted = request(64, 8);
  wanted.tensor_parallel_size = 4;
  wanted.context_parallel_size = 2;
  const Plan plan = make_plan(wanted);
  CHECK(tensor_ranks(plan).stride == 1);
  CHECK(tensor_ranks(plan).count == 4);
  CHECK(context_ranks(plan).stride == 4);
  CHECK(context_ranks(plan).count == 2);
  CHECK(gradient_ranks(plan).stride == 4);
  CHECK(gradient_ranks(plan).count == 16);
}

TEST_CASE("experts are shared over the ranks of data and context, whole ones over all of a stage") {
  Plan plan{.tensor_parallel_size = 4, .context_parallel_size = 2, .data_parallel_size = 8};
  plan.expert_parallel_size = 8;
  CHECK(expert_ranks(plan).stride == 4);
  CHECK(expert_ranks(plan).count == 8);
  CHECK(expert_gradient_ranks(plan).stride == 32);
  CHECK(expert_gradient_ranks(plan).count == 2);
  plan.whole_experts = true;
  CHECK(expert_ranks(plan).stride == 1);
  CHECK(expert_ranks(plan).count == 8);
  CHECK(expert_gradient_ranks(plan).stride == 8);
  CHECK(expert_gradient_ranks(plan).count == 8);
}

TEST_CASE("plans that do not work out are refused") {
  CHECK(refusal_of(request(0, 8)) == "accelerators must be at least 1, got 0");
  CHECK(refusal_of(request(-8, 8)) == "accelerators must be at least 1, got -8");
  CHECK(refusal_of(request(8, 0)) == "the global batch must be above 0, got 0");
  CHECK(refusal_of(request(8, -4)) == "the global batch must be above 0, got -4");
  CHECK(refusal_of(request(8, std::numeric_limits<double>::quiet_NaN())) ==
        "the global batch must be above 0, got nan");
  CHECK(refusal_of(request(16, 8)) ==
        "global batch 8 leaves less than one sample to each of 16 replicas x 1 accumulation "
        "steps: tp*pp*cp must be at least 2, is 1");

  const auto with = [](int PlanRequest::*size, int value) {
    PlanRequest made = request(12, 96);
    made.*size = value;
    return refusal_of(made);
  };
  CHECK(with(&PlanRequest::tensor_parallel_size, 0) == "tp must be at least 1, got 0");
  CHECK(with(&PlanRequest::pipeline_parallel_size, -1) == "pp must be at least 1, got -1");
  CHECK(with(&PlanRequest::context_parallel_size, 0) == "cp must be at least 1, got 0");
  CHECK(with(&PlanRequest::gradient_accumulation, 0) ==
        "gradient accumulation must be at least 1, got 0");
  CHECK(with(&PlanRequest::tensor_parallel_size, 8) ==
        "tp*pp*cp = 8*1*1 = 8 does not divide 12 accelerators");
  CHECK(with(&PlanRequest::pipeline_parallel_size, 2) == "accepted");
  CHECK(with(&PlanRequest::gradient_accumulation, 9) ==
        "global batch 96 leaves less than one sample to each of 12 replicas x 9 accumulation "
        "steps: tp*pp*cp must be at least 2, is 1");
}
