// Tests axes of stacks and of measured collectives: points equal the answers of `tofn step`.
#include <algorithm>
#include <string>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/evidence/measured_cluster.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string software_head =
    "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n  cluster: dgx-h100\n"
    "  plan: data-parallel\n  accelerators: 64\n  batch: 256\n  micro_batch: 1\n  sharded: "
    "optimizer\n";

Plan plain_plan() {
  Plan plan{.gradient_accumulation = 4};
  plan.sharded = Sharded::Optimizer;
  return make_plan(plan, 64, 256);
}

double step_s(const Model& model, const Plan& plan, const Cluster& cluster,
              const KernelProfile& stack) {
  return closed_form(step_work(model, plan, cluster, stack)).total.base();
}

Cluster measured(const Cluster& cluster, const std::string& name) {
  return measured_cluster(cluster, shipped_library(), shipped_configs(), name);
}

}  // namespace

TEST_CASE("a stack's axis runs models and plans as the stack does, but for what is stated") {
  Swept typical(software_head +
                "axes:\n  - stack: [megatron-core, unknown]\ncolumns: [step_s, data_overlap]\n");
  Swept stated(software_head +
               "  data_overlap: true\naxes:\n  - stack: [megatron-core]\n"
               "columns: [step_s, data_overlap]\n");
  const auto rows = typical.rows();
  REQUIRE(rows.size() == 2);
  for (const Row& row : rows) {
    const KernelProfile stack = find_kernel_profile(shipped_configs(), row.at("stack"));
    const Model model =
        as_run_by(stack.framework_defaults, find_model(shipped_configs(), "llama3-8b"));
    const Plan plan = as_run_by(stack.framework_defaults, plain_plan(), [](auto) { return false; });
    CHECK_THAT(number(row.at("step_s")),
               WithinRel(step_s(model, plan, shipped_library().cluster("dgx-h100"), stack), 1e-8));
  }
  CHECK(rows[0].at("data_overlap") == "0");  // Megatron-LM's default
  CHECK(rows[1].at("data_overlap") == "1");
  CHECK(stated.rows().at(0).at("data_overlap") == "1");
  CHECK(stated.rows().at(0).at("step_s") != rows[0].at("step_s"));
}

TEST_CASE("a calibration's axis answers from what was measured, and says where it was not") {
  Swept swept(software_head + "axes:\n  - calibration: [none, h100-cluster01]\ncolumns: [step_s]\n",
              measured);
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 2);
  const Model model = find_model(shipped_configs(), "llama3-8b");
  const KernelProfile stack = find_kernel_profile(shipped_configs(), default_stack);
  const Cluster plain = shipped_library().cluster("dgx-h100");
  CHECK_THAT(number(rows[0].at("step_s")),
             WithinRel(step_s(model, plain_plan(), plain, stack), 1e-8));
  CHECK_THAT(
      number(rows[1].at("step_s")),
      WithinRel(step_s(model, plain_plan(), measured(plain, "h100-cluster01"), stack), 1e-8));
  CHECK(rows[0].at("step_s") != rows[1].at("step_s"));
  Swept one_node(software_head + "axes:\n  - calibration: [h100-dgx-1x8]\ncolumns: [step_s]\n",
                 measured);
  CHECK(one_node.rows().size() == 1);
  const auto& stated = one_node.maker.substitutions();
  CHECK(std::any_of(stated.begin(), stated.end(), [](const std::string& sentence) {
    return sentence.starts_with("calibration h100-dgx-1x8 holds no table for ");
  }));
}

TEST_CASE("a changed network is carried over from the one that was measured") {
  Swept swept(software_head +
                  "  calibration: h100-cluster01\naxes:\n"
                  "  - multiply: cluster.network.nic_bandwidth\n    values: [0.25, 1]\n"
                  "columns: [step_s, data_s]\n",
              measured);
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 2);
  CHECK(number(rows[0].at("data_s")) > 2 * number(rows[1].at("data_s")));
}

TEST_CASE("replicas stand for accelerators") {
  Swept swept(
      "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n  cluster: dgx-h100\n"
      "  replica_batch: 4\naxes:\n  - dp: [1, 4]\n  - tp: [1, 2]\n  - pp: [1, 2]\n"
      "columns: [accelerators, batch]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 8);
  for (const Row& row : rows) {
    CHECK(number(row.at("accelerators")) ==
          number(row.at("dp")) * number(row.at("tp")) * number(row.at("pp")));
    CHECK(number(row.at("batch")) == 4 * number(row.at("dp")));
  }
}
