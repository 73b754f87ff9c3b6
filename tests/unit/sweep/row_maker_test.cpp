#include "sim/sweep/row_maker.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/timeline/timeline.hpp"
#include "sim/training/stated_run.hpp"
#include "tests/catch.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::filesystem::path& configs = shipped_configs();
Library& library() { return shipped_library(); }

/// Constraint that also allows points beyond the memory.
const std::string whatever_fits = "constraints: [fits_memory >= 0]\n";
const std::string row_maker_head =
    "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n  cluster: dgx-h100\n"
    "  plan: data-parallel\n  micro_batch: 4\n  accelerators: 64\n  replica_batch: 4\n";

}  // namespace

TEST_CASE("a point is the step that the same plan, cluster and model make") {
  Swept swept(row_maker_head +
              "axes:\n"
              "  - path: plan.tensor_parallel\n    values: [1, 2]\n"
              "  - multiply: cluster.network.nic_bandwidth\n    values: [0.5, 1]\n"
              "  - path: accelerator.memory_bandwidth\n    values: [3 TB/s]\n"
              "  - path: model.parts.transformer.layers\n    values: [16, 32]\n"
              "columns: [step_s, memory_gb, dp]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 8);
  const KernelProfile kernels = find_kernel_profile(configs, default_stack);
  for (const auto& row : rows) {
    Cluster cluster = library().cluster("dgx-h100");
    cluster.network->nic_bandwidth.value *= number(row.at("nic_bandwidth_factor"));
    cluster.accelerator.memory_bandwidth.value = 3e12_B / 1_s;
    Model model = find_model(configs, "llama3-8b");
    for (ModelPart& part : model.parts)
      if (auto* layers = std::get_if<TransformerLayers>(&part.shape))
        layers->count = std::stoi(row.at("layers"));
    Plan plan;
    plan.tensor_parallel_size = std::stoi(row.at("tensor_parallel"));
    plan = make_plan(plan, 64, 4.0 * 64 / plan.tensor_parallel_size);
    const StepWork work = step_work(model, plan, cluster, kernels);
    CHECK_THAT(number(row.at("step_s")), WithinRel(closed_form(work).total.base(), 1e-8));
    CHECK(std::stoi(row.at("dp")) == plan.data_parallel_size);
    const SimulatedStep step = simulate_step(model, plan, cluster, kernels);
    CHECK_THAT(number(row.at("memory_gb")),
               WithinRel(step.memory.front().total().base() / 1e9, 1e-8));
  }
}

TEST_CASE("a point's run takes what the same steps take for the same tokens") {
  Swept swept(row_maker_head +
              "axes:\n  - path: trains\n    values: [1B tokens, 2M samples, 1k steps]\n"
              "columns: [batch, step_s, tokens, days, days_low90, cost_usd, "
              "accelerator_hours, batch_price]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 3);
  const Model model = find_model(configs, "llama3-8b");
  const KernelProfile stack = find_kernel_profile(configs, default_stack);
  const SimulatedStep step =
      simulate_step(model, make_plan(Plan{}, 64, 256), library().cluster("dgx-h100"), stack);
  const double samples[] = {1e9 / 8192, 2e6, 1000.0 * 256};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const RunEstimate job = estimate({.stretches = {stretch_of({}, step, samples[i], 0, stack)}});
    const auto at = [&](const char* column) { return number(rows[i].at(column)); };
    CHECK_THAT(at("tokens"), WithinRel(samples[i] * 8192, 1e-8));
    CHECK_THAT(at("days"), WithinRel(job.expected.days, 1e-8));
    CHECK_THAT(at("days_low90"), WithinRel(job.expected.days * job.time.interval.low, 1e-8));
    CHECK_THAT(at("cost_usd"), WithinRel(job.expected.usd, 1e-8));
    CHECK_THAT(at("accelerator_hours"), WithinRel(24 * 64 * at("days"), 1e-8));
    CHECK((at("batch_price") > 0 && at("batch_price") < 1));
  }
}

TEST_CASE("points are numbered with the last axis fastest") {
  Swept swept(row_maker_head +
              "axes:\n  - path: plan.tensor_parallel\n    values: [1, 2]\n"
              "  - path: accelerators\n    values: [8, 16, 32]\ncolumns: [dp]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    CHECK(rows[i].at("point") == std::to_string(i));
    CHECK(rows[i].at("accelerators") == std::vector<std::string>{"8", "16", "32"}[i % 3]);
    CHECK(rows[i].at("tensor_parallel") == (i < 3 ? "1" : "2"));
  }
}

TEST_CASE("constraints leave points out, and what breaks a rule is refused with its reason") {
  Swept swept(row_maker_head +
              "axes:\n  - path: plan.tensor_parallel\n    values: [1, 2, 8, 16]\n"
              "  - path: plan.sequence_parallel\n    values: [false, true]\n"
              "constraints: [tp <= gpus_per_node, tp != 2]\ncolumns: [tp]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 3);  // tp 1 without sequence parallelism; tp 8 with and without
  CHECK(rows[0].at("point") == "0");
  CHECK(rows[1].at("point") == "4");
  CHECK(rows[2].at("point") == "5");
  // tp 16 does not divide 8 key-value heads, and sequence parallelism has no effect with tp 1.
  CHECK(swept.maker.left_out().refused.count == 2);
  CHECK(swept.maker.left_out().refused.first == 6);
  CHECK(swept.maker.left_out().repeated.count == 1);
  CHECK(swept.maker.left_out().repeated.first == 1);
  CHECK_THAT(swept.maker.left_out().repeated.why, ContainsText("where it lacks tp > 1"));
  CHECK(swept.maker.left_out().excluded == 2);
}

TEST_CASE("what does nothing at a point's sizes does not keep it out, but is not repeated") {
  Swept swept(row_maker_head +
              "axes:\n  - path: plan.tensor_parallel\n    values: [1, 2]\n"
              "  - path: plan.sequence_parallel\n    values: [true]\n"
              "  - path: plan.schedule\n    values: [zero-bubble, gpipe]\n"
              "columns: [tp, schedule, sequence_parallel]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at("point") == "0");
  CHECK(rows[1].at("point") == "2");
  CHECK(swept.maker.left_out().refused.count == 0);
  CHECK(swept.maker.left_out().repeated.count == 2);
  CHECK(swept.maker.left_out().repeated.why ==
        "schedule gpipe does nothing where it lacks pp > 1: the same as with schedule zero-bubble");
}

TEST_CASE("a sweep that says what it trains shows the expected days and cost by default") {
  const auto of_run = Swept(
                          "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n"
                          "  cluster: dgx-h100\n  accelerators: 64\n  batch: 512\n"
                          "  tokens: 1T\naxes:\n  - accelerators: [64]\n")
                          .rows();
  REQUIRE(of_run.size() == 1);
  CHECK(number(of_run[0].at("days_low90")) < number(of_run[0].at("days_as_runs_went")));
  CHECK(number(of_run[0].at("days_as_runs_went")) < number(of_run[0].at("days_high90")));
  CHECK(of_run[0].contains("cost_usd_as_runs_went"));
  CHECK_FALSE(of_run[0].contains("bottleneck"));
  const auto of_step =
      Swept(row_maker_head + "axes:\n  - path: plan.tensor_parallel\n    values: [1]\n").rows();
  REQUIRE(of_step.size() == 1);
  CHECK(of_step[0].contains("bottleneck"));
  CHECK_FALSE(of_step[0].contains("days_as_runs_went"));
}

TEST_CASE("what fits the memory is what the footprint says") {
  Swept swept(row_maker_head +
              "axes:\n  - path: plan.sharded\n    values: [nothing, parameters]\n"
              "  - path: plan.recompute\n    values: [full]\n"
              "  - path: plan.micro_batch\n    values: [1]\n"
              "constraints: [fits_memory]\ncolumns: [memory_gb, memory_share]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 1);  // 8 billion parameters at 18 bytes are 144 GB unless sharded
  CHECK(rows[0].at("sharded") == "parameters");
  CHECK_THAT(number(rows[0].at("memory_share")),
             WithinRel(number(rows[0].at("memory_gb")) / 85.520809984, 1e-8));
}

TEST_CASE("selected are the best of all by events") {
  const std::string axes =
      "axes:\n  - path: plan.tensor_parallel\n    name: tensor\n    values: [1, 2, 4, 8]\n"
      "  - path: plan.pipeline_parallel\n    name: stages\n    values: [1, 2, 4]\n"
      "  - path: plan.micro_batch\n    values: [1, 2, 4]\ncolumns: [step_s, samples_per_s]\n";
  Swept all(row_maker_head + axes);
  Swept best(row_maker_head + axes + whatever_fits + "select: {top: 3, by: most samples_per_s}\n");
  std::vector<std::uint64_t> points;
  for (const auto& row : best.rows()) points.push_back(std::stoull(row.at("point")));
  CHECK(points.size() >= 3);
  CHECK(points.size() <= 12);
  const auto chosen = best.table(best.maker.selected_rows(points));
  REQUIRE(chosen.size() == 3);
  std::vector<double> speeds;
  for (const auto& row : all.rows()) speeds.push_back(number(row.at("samples_per_s")));
  std::sort(speeds.rbegin(), speeds.rend());
  // The closed form is within 1 % of the events for these.
  for (std::size_t i = 0; i < 3; ++i)
    CHECK_THAT(number(chosen[i].at("samples_per_s")), WithinRel(speeds[i], 0.01));
  CHECK(number(chosen[0].at("samples_per_s")) >= number(chosen[1].at("samples_per_s")));
}

TEST_CASE("efficiency compares with the reference") {
  Swept swept(row_maker_head.substr(0, row_maker_head.find("  accelerators")) +
              "  replica_batch: 4\n  reference: 8\n"
              "axes:\n  - path: accelerators\n    values: [8, 64]\n"
              "columns: [samples_per_s, speedup, efficiency, throughput_efficiency]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at("efficiency") == "1");
  const double speedup = number(rows[1].at("samples_per_s")) / number(rows[0].at("samples_per_s"));
  CHECK_THAT(number(rows[1].at("speedup")), WithinRel(speedup, 1e-7));
  CHECK_THAT(number(rows[1].at("efficiency")), WithinRel(speedup / 8, 1e-7));
  CHECK_THAT(number(rows[1].at("throughput_efficiency")), WithinRel(speedup / 8, 1e-7));
}

TEST_CASE("a model's speedup is of its days, where the rows have them") {
  Swept swept(
      "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n  cluster: dgx-h100\n"
      "  plan: data-parallel\n  batch: 512\n  micro_batch: 1\n  sharded: optimizer\n"
      "  tokens: 1T\n"
      "  reference: 64\n  failure_every: 5000 h\n  restart: 30 min\n"
      "axes:\n  - path: accelerators\n    values: [64, 512]\n"
      "columns: [days, step_s, speedup, efficiency, throughput_efficiency]\n" +
      whatever_fits);
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 2);
  CHECK_THAT(number(rows[0].at("speedup")), WithinRel(1.0, 1e-9));
  const double speedup = number(rows[0].at("days")) / number(rows[1].at("days"));
  CHECK_THAT(number(rows[1].at("speedup")), WithinRel(speedup, 1e-7));
  CHECK_THAT(number(rows[1].at("efficiency")), WithinRel(speedup / 8, 1e-7));
  CHECK(number(rows[1].at("throughput_efficiency")) > number(rows[1].at("efficiency")));
}

TEST_CASE("a point whose reference cannot run is there, with nothing to compare it with") {
  Swept swept(row_maker_head.substr(0, row_maker_head.find("  accelerators")) +
              "  replica_batch: 4\n  reference: 1\n"
              "axes:\n  - path: accelerators\n    values: [64]\n"
              "  - path: plan.tensor_parallel\n    values: [8]\ncolumns: [step_s, efficiency]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].at("efficiency").empty());
  CHECK(number(rows[0].at("step_s")) > 0);
}

TEST_CASE("what is selected is timed by events, all points by the closed form") {
  // The chunks of the stages differ, so that both forms differ too.
  const std::string axes =
      "axes:\n  - path: plan.pipeline_parallel\n    values: [4]\n"
      "  - path: plan.chunks_per_stage\n    values: [5]\n"
      "  - path: plan.micro_batch\n    values: [1]\ncolumns: [step_s]\n";
  const std::string deep =
      "name: test\ntitle: a test\nbase:\n  model: llama3-70b\n"
      "  cluster: dgx-h100\n  plan: data-parallel\n  accelerators: 64\n  batch: 128\n";
  Swept all(deep + axes);
  Swept best(deep + axes + whatever_fits + "select: {top: 1, by: least step_s}\n");
  Plan plan;
  plan.pipeline_parallel_size = 4;
  plan.chunks_per_stage = 5;
  plan.gradient_accumulation = 8;
  const KernelProfile stack = find_kernel_profile(configs, default_stack);
  plan = as_run_by(stack.framework_defaults, make_plan(plan, 64, 128),
                   [](std::string_view) { return false; });
  const StepWork work =
      step_work(find_model(configs, "llama3-70b"), plan, library().cluster("dgx-h100"), stack);
  const double by_form = closed_form(work).total.base();
  const double by_events = simulate(work).total.base();
  REQUIRE(std::abs(by_form / by_events - 1) > 1e-4);
  CHECK_THAT(number(all.rows().at(0).at("step_s")), WithinRel(by_form, 1e-8));
  CHECK_THAT(number(best.table(best.maker.selected_rows({0})).at(0).at("step_s")),
             WithinRel(by_events, 1e-8));
}

TEST_CASE("a factor on a chip's peak is one on what was measured of its products") {
  Swept swept(row_maker_head +
              "  sharded: parameters\naxes:\n  - multiply: accelerator.peak.bf16\n"
              "    values: [0.5, 2]\ncolumns: [step_s, mfu]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 2);
  const KernelProfile stack = find_kernel_profile(configs, default_stack);
  for (const auto& [row, factor] : {std::pair{rows[0], 0.5}, std::pair{rows[1], 2.0}}) {
    Cluster cluster = library().cluster("dgx-h100");
    for (auto* figure : {&cluster.accelerator.peak[static_cast<std::size_t>(Precision::Bf16)],
                         &cluster.accelerator.best_product})
      (*figure)->value = factor * (*figure)->value;
    PointMaker maker(swept.sources);
    const Plan plan = maker.plan(std::stoull(row.at("point"))).plan;
    const StepWork work = step_work(find_model(configs, "llama3-8b"), plan, cluster, stack);
    CHECK_THAT(number(row.at("step_s")), WithinRel(closed_form(work).total.base(), 1e-8));
  }
  CHECK(number(rows[0].at("mfu")) < 0.65);
  CHECK(number(rows[0].at("step_s")) > 1.8 * number(rows[1].at("step_s")));
}

TEST_CASE("what does not fit the memory is not chosen from, unless a constraint speaks of it") {
  const std::string axes =
      "axes:\n  - sharded: [nothing, parameters]\n  - recompute: [full]\n  - micro_batch: [1]\n"
      "columns: [step_s, fits_memory]\n";
  const std::string select = "select: {top: 2, by: least step_s}\n";
  Swept chosen(row_maker_head + axes + select);
  const auto rows = chosen.rows();
  REQUIRE(rows.size() == 1);  // 8 billion parameters at 18 bytes are 144 GB unless sharded
  CHECK(rows[0].at("sharded") == "parameters");
  CHECK(chosen.maker.left_out().unfit == 1);
  CHECK(chosen.maker.left_out().excluded == 0);
  Swept request(row_maker_head + axes + select + whatever_fits);
  CHECK(request.rows().size() == 2);
  CHECK(request.maker.left_out().unfit == 0);
  Swept best(row_maker_head + axes + "best: {of: [sharded], by: least step_s}\n");
  CHECK(best.rows().size() == 1);
  Swept all(row_maker_head + axes);
  CHECK(all.rows().size() == 2);
  CHECK(all.maker.unfit_rows() == 1);
}

TEST_CASE("what a run costs and how often it fails are axes, in the words of the options") {
  Swept swept(row_maker_head +
              "  tokens: 100B\n  sequence_parallel: on\n  price: 2 USD/h\n"
              "axes:\n  - tp: [2]\n  - price: [2, $6]\n  - failure_every: [50000 h, 500 h]\n"
              "  - restart: [15 min, 10 h]\n  - grid: [100, 400]\n"
              "columns: [sequence_parallel, time_s, lost_s, cost_usd, energy_kwh, co2_t]\n");
  const auto rows = swept.rows();
  REQUIRE(rows.size() == 16);
  const auto figure = [&](std::size_t row, const char* column) {
    return number(rows[row].at(column));
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double price = i < 8 ? 2 : 6;
    const double grid = i % 2 == 0 ? 0.1 : 0.4;  // kg/kWh
    CHECK_THAT(figure(i, "cost_usd"), WithinRel(64 * price * figure(i, "time_s") / 3600, 1e-7));
    CHECK_THAT(figure(i, "co2_t"), WithinRel(grid * figure(i, "energy_kwh") / 1000, 1e-7));
    CHECK(rows[i].at("sequence_parallel") == "1");
  }
  CHECK(figure(4, "lost_s") > 5 * figure(0, "lost_s"));  // a hundred times as many failures
  CHECK(figure(2, "lost_s") > 2 * figure(0, "lost_s"));  // each restart is forty times as long
}
