#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A model on 64 H100 with NeMo.
struct Job {
  explicit Job(const char* name) : model(find_model(configs, name)) {}

  BestPlan filled(const StatedPlan& plan, double batch = 128) const {
    return filled_plan(plan, {.model = model,
                              .cluster = cluster,
                              .profile = stack,
                              .accelerators = 64,
                              .global_batch = batch});
  }
  SimulatedStep step(const Plan& plan) const { return simulate_step(model, plan, cluster, stack); }
  bool holds(const Plan& plan) const {
    const SimulatedStep made = step(plan);
    return fits(made.memory[made.tightest()], cluster.accelerator);
  }

  Library library = Library::load(configs);
  Model model;
  Cluster cluster = library.cluster("dgx-h100");
  KernelProfile stack = find_kernel_profile(configs, "nemo");
};

StatedPlan stating(Plan split, std::vector<std::string> rows) {
  return {.name = "asked for", .split = std::move(split), .stated = std::move(rows)};
}

}  // namespace

TEST_CASE("what is stated of a plan stays, and the rest is chosen so that it fits") {
  const Job job("llama3-70b");
  const BestPlan made = job.filled(stating({.tensor_parallel_size = 8}, {"tp"}));
  CHECK(made.fits);
  CHECK(made.tried > 1);
  CHECK(made.plan.tensor_parallel_size == 8);
  CHECK(made.plan.accelerators() == 64);
  CHECK(made.plan.global_batch() == 128);
  CHECK(job.holds(made.plan));
  // By hand: 70.6e9 parameters x 18 B / 8 tensor ranks take 159 GB a rank without shards.
  const BestPlan whole = job.filled(stating(
      {.tensor_parallel_size = 8, .sharded = Sharded::Nothing}, {"tp", "pp", "cp", "sharded"}));
  CHECK(!whole.fits);
  CHECK(whole.plan.sharded == Sharded::Nothing);
  CHECK(whole.plan.pipeline_parallel_size == 1);
}

TEST_CASE("no choice of one option more is shorter than what was chosen") {
  const Job job("llama3-8b");
  const BestPlan made = job.filled({.name = "asked for"});
  for (const int tp : {1, 2, 4, 8}) {
    const BestPlan other = job.filled(stating({.tensor_parallel_size = tp}, {"tp"}));
    CHECK(job.step(other.plan).times.total >= job.step(made.plan).times.total);
    if (tp == made.plan.tensor_parallel_size)
      CHECK(plan_words(other.plan) == plan_words(made.plan));
  }
}

TEST_CASE("a plan's file leaves only its passes open") {
  const Job job("llama3-8b");
  StatedPlan file{.name = "file", .split = {.tensor_parallel_size = 4}, .is_whole = true};
  CHECK(leaves_open(file, job.model));
  const Plan made = job.filled(file).plan;
  CHECK(made.tensor_parallel_size == 4);
  CHECK(made.sharded == Sharded::Nothing);
  CHECK(made.recompute == Recompute::None);
  file.micro_batch = 2;
  CHECK(!leaves_open(file, job.model));
  const BestPlan stated = job.filled(file);
  CHECK(stated.tried == 0);
  CHECK(stated.plan.micro_batch == 2);
  CHECK(stated.plan.gradient_accumulation == 4);  // 128 samples on 16 replicas, two a pass
}

TEST_CASE("a plan is open where a row that matters is not stated") {
  const Model dense = find_model(configs, "llama3-8b");
  const Model mixture = find_model(configs, "mixtral-8x7b");
  StatedPlan plan = stating({}, {"tp", "pp", "cp", "sharded", "recompute"});
  plan.micro_batch = 1;
  CHECK(!leaves_open(plan, dense));
  CHECK(leaves_open(plan, mixture));  // ep
  plan.split.pipeline_parallel_size = 2;
  CHECK(leaves_open(plan, dense));  // chunks
  plan.stated.emplace_back("chunks");
  CHECK(!leaves_open(plan, dense));
  plan.split.tensor_parallel_size = 2;
  CHECK(leaves_open(plan, dense));  // sequence parallelism
}

TEST_CASE("replicas that are stated have no more ranks than somebody states") {
  const Job job("llama3-8b");
  const StatedPlan plan = with_stated_replicas({.name = "asked for"});
  const Plan made = job.filled(plan).plan;
  CHECK(made.data_parallel_size == 64);
  CHECK(made.micro_batch * made.gradient_accumulation == 2);
}
