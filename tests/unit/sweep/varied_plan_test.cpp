#include "sim/sweep/varied_plan.hpp"

#include <algorithm>
#include <set>

#include "sim/config/load_parts.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A sweep over axes of a plan, whose points are read one by one.
struct Plans {
  Plans(const std::string& axes, const std::string& plan)
      : file("sweep.yaml",
             "name: s\ntitle: s\nbase: {model: llama3-8b, cluster: dgx-h100, batch: 8}\naxes:\n" +
                 axes),
        sweep(load_sweep(file.path())),
        document(sweep, "plan", "", [&](const std::string&) { return YamlNode::parse(plan, ""); }),
        varied(document) {}

  StatedPlan read(const Positions& at) {
    ++reads;
    return read_plan(document.at(at));
  }
  StatedPlan of(const Positions& at) {
    return varied.at(at, [&](const Positions& there) { return read(there); });
  }

  TemporaryFile file;
  Sweep sweep;
  VariedDocument document;
  VariedPlan varied;
  std::size_t reads = 0;
};

void check_same(const StatedPlan& plan, const StatedPlan& read) {
  CHECK(plan.name == read.name);
  visit_plan([&](const PlanField& field, auto member) {
    INFO(field.name);
    CHECK((plan.split.*member == read.split.*member));
  });
  CHECK(plan.micro_batch == read.micro_batch);
  CHECK(plan.gradient_accumulation == read.gradient_accumulation);
  CHECK(run_settings_yaml(plan.settings) == run_settings_yaml(read.settings));
  CHECK(plan.is_whole == read.is_whole);
  CHECK(std::set(plan.stated.begin(), plan.stated.end()) ==
        std::set(read.stated.begin(), read.stated.end()));
}

const std::string whole = "name: p\ntensor_parallel: 2\ncontext_parallel: 1\n";

}  // namespace

TEST_CASE("a varied plan is what its document reads as, at every point") {
  const std::string axes = GENERATE(
      "  - tp: [1, 2, 4]\n  - pp: [1, 2]\n  - recompute: [none, full]\n",
      "  - zip:\n    - tp: [1, 2, 4]\n    - micro_batch: [4, 2, 1]\n  - grad_accum: [1, 2]\n",
      "  - zip:\n    - tp: [1, 2]\n    - precision: [bf16, fp8]\n  - sharp: [true, false]\n"
      "  - sharded: [nothing, optimizer]\n",
      "  - plan.name: [a, b]\n  - tp: [8, 4]\n  - data_overlap: [true, false]\n"
      "  - plan.stage_layers: ['[16, 16]', '[15, 17]']\n",
      "  - multiply: plan.tensor_parallel\n    values: [1, 2, 4]\n  - cp: [1, 2]\n"
      "  - accelerators: [8, 16]\n");
  INFO(axes);
  Plans plans(axes, whole);
  Positions at;
  for (std::uint64_t point = 0; point < plans.sweep.points(); ++point) {
    find_positions(plans.sweep, point, at);
    check_same(plans.of(at), plans.read(at));
  }
}

TEST_CASE("each value of a plan's axes is read once") {
  Plans plans("  - tp: [1, 2, 4, 8]\n  - pp: [1, 2, 4]\n  - chunks: [1, 2, 4]\n  - dp: [1, 2]\n",
              whole);
  Positions at;
  for (std::uint64_t point = 0; point < plans.sweep.points(); ++point) {
    find_positions(plans.sweep, point, at);
    plans.of(at);
  }
  CHECK(plans.sweep.points() == 72);
  CHECK(plans.reads == 1 + 3 + 2 + 2);
}

TEST_CASE("a value that its row does not take is told as its document tells it") {
  Plans plans("  - tp: [1, 0, 2]\n  - pp: [1, many]\n", whole);
  for (const Positions& at : {Positions{1, 0}, {0, 1}, {1, 1}, {2, 1}}) {
    const std::string why = refusal([&] { plans.read(at); });
    CHECK(why != "");
    CHECK(refusal([&] { plans.of(at); }) == why);
  }
  check_same(plans.of({2, 0}), plans.read({2, 0}));
}
