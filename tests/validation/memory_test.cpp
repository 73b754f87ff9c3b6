#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/steps_answer.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/memory/fitting.hpp"
#include "tests/catch.hpp"

// Memory of the four models of Figure 1 of arXiv 2205.05198, and of the steps of configs/measured
// that state it. No figure is fitted to either, but which parts are counted was chosen row by row
// on the latter (`disclosures`): what they are off is no blind error.
using namespace tofn;
using namespace tofn::test;

namespace {

const std::string configs_folder = TOFN_SOURCE_DIR "/configs";

/// One bar of the figure, and the plan that it stands for.
struct Bar {
  std::string model;
  Plan plan;
  Bytes states, activations;
};

double number(const CsvTable& table, std::size_t row, std::string_view column) {
  return CsvRow(table, row).number(column).value();
}

Bar bar(const CsvTable& table, std::size_t row) {
  const auto size = [&](std::string_view column) {
    return static_cast<int>(number(table, row, column));
  };
  const bool is_selective = table.at(row, "mode") == "selective";
  const int replicas = size("data_parallel");
  Plan plan{.tensor_parallel_size = size("tensor_parallel"),
            .pipeline_parallel_size = size("pipeline_parallel"),
            .data_parallel_size = replicas,
            .micro_batch = number(table, row, "micro_batch"),
            .chunks_per_stage = size("interleaved_stages"),
            .sequence_parallel = is_selective,
            .recompute = is_selective ? Recompute::Selective : Recompute::None};
  plan.gradient_accumulation =
      static_cast<int>(number(table, row, "global_batch") / (replicas * plan.micro_batch));
  return {.model = table.at(row, "model"),
          .plan = plan,
          .states = number(table, row, "parameters_and_optimizer_GiB") * 1_GiB,
          .activations = number(table, row, "activations_GiB") * 1_GiB};
}

const std::vector<Bar>& bars() {
  static const std::vector<Bar> rows = [] {
    const CsvTable table =
        CsvTable::read(TOFN_SOURCE_DIR "/tests/validation/data/megatron_memory.csv");
    std::vector<Bar> read;
    for (std::size_t i = 0; i < table.rows(); ++i) read.push_back(bar(table, i));
    return read;
  }();
  return rows;
}

std::vector<LayerWork> layers_of(const Bar& bar) {
  return layer_work(find_model(configs_folder, bar.model), bar.plan);
}

/// Without embedding and vocabulary, as the figure has it.
Footprint without_embedding(const Bar& bar) {
  auto layers = layers_of(bar);
  std::erase_if(layers, [](const auto& layer) { return layer.place != StagePlace::Spread; });
  return footprints(layers, bar.plan, {}).front();
}

Bytes states(const Footprint& held) { return held.parameters + held.gradients + held.optimizer; }
double error(Bytes ours, Bytes theirs) { return std::abs(ours / theirs - 1); }

struct Errors {
  double mean = 0;
  double worst = 0;
};
Errors summary(const std::vector<double>& errors) {
  Errors all;
  for (const double each : errors) {
    all.mean += each / static_cast<double>(errors.size());
    all.worst = std::max(all.worst, each);
  }
  return all;
}

const Accelerator& a100() {
  static const Accelerator loaded =
      load_accelerator(configs_folder + std::string("/accelerators/a100-sxm-80gb.yaml"));
  return loaded;
}

}  // namespace

TEST_CASE("the layers' states and activations are the figure's within 0.1 %") {
  // Norms and biases, which the figure leaves out, are 13/(12 h) of the weights.
  REQUIRE(bars().size() == 8);
  for (const Bar& bar : bars()) {
    const Footprint held = without_embedding(bar);
    CAPTURE(bar.model, to_text(states(held)), to_text(held.activations));
    CHECK(error(states(held), bar.states) < 0.001);
    CHECK(error(held.activations, bar.activations) < 0.001);
  }
}

TEST_CASE("all sixteen numbers are met within 5 % with the embedding on its stage") {
  std::vector<double> all, of_states;
  for (const Bar& bar : bars()) {
    const Footprint held = footprints(layers_of(bar), bar.plan, {}).front();
    of_states.push_back(error(states(held), bar.states));
    all.push_back(of_states.back());
    all.push_back(error(held.activations, bar.activations));
  }
  CHECK(summary(all).mean < 0.05);
  // The figure leaves the embedding out, the first stage has it, so that states alone miss by more:
  // 18 (51,200/8 + 2048) h bytes, as Megatron-LM keeps learnt positions whole on each rank.
  CHECK(summary(of_states).mean == Approx(0.065).margin(0.001));
  CHECK(summary(of_states).worst == Approx(0.110).margin(0.001));
}

TEST_CASE("as the figure says, 80 GB hold these models with selective recomputation only") {
  for (const Bar& bar : bars()) {
    CAPTURE(bar.model);
    const Footprint held = largest_footprint(layers_of(bar), bar.plan, {});
    CHECK(fits(held, a100()) == bar.plan.sequence_parallel);
  }
}

TEST_CASE("a plan without recomputation is mended as the paper mends it") {
  for (const Bar& bar : bars()) {
    if (bar.plan.sequence_parallel) continue;
    const Model model = find_model(configs_folder, bar.model);
    const auto found = nearest_plan_that_fits(
        bar.plan, [&](const Plan& plan) { return layer_work(model, plan); }, a100(), {});
    REQUIRE(found);
    CAPTURE(bar.model, found->changes);
    CHECK(found->plan.recompute == Recompute::Selective);
    CHECK(found->changes.size() <= 2);
  }
}

TEST_CASE("shipped plans fit the accelerators that they are made for") {
  const auto held = [](const char* model, const char* plan, int accelerators, double batch) {
    const Plan made = plan_on(find_plan(configs_folder, plan), accelerators, batch);
    return largest_footprint(layer_work(find_model(configs_folder, model), made), made, {});
  };
  CHECK(fits(held("llama3-70b", "llama3-70b-64", 64, 128), a100()));
  CHECK(fits(held("gpt3-175b", "gpt3-175b-megatron", 64, 64), a100()));
  CHECK(fits(held("mixtral-8x7b", "mixtral-ep8", 64, 256), a100()));
  CHECK(fits(held("llama3-8b", "fsdp", 64, 64), a100()));
  CHECK_FALSE(fits(held("llama3-8b", "data-parallel", 64, 64), a100()));
}

// Drift alarms, set before the last parts were chosen: 1.5 % of Megatron's, 8 % of all. What is off
// most: BLOOM's first trials, 15 to 19 % short, one of its later rows, 28, and pipelines of
// nanotron, 5 to 14.
TEST_CASE("peaks of memory that steps state are met as each stack reads them") {
  std::map<std::string, std::vector<double>> errors;
  for (const ScoredStep& step : peak_memory_answer(configs_folder, tables_of_steps(configs_folder)))
    for (const auto& group : {step.stack, std::string("all")})
      errors[group].push_back(std::abs(step.memory->error()));
  CHECK(errors["all"].size() == 60);
  CHECK(summary(errors["megatron-lm"]).mean < 0.015);
  CHECK(summary(errors["megatron-lm"]).worst < 0.03);
  CHECK(summary(errors["all"]).mean < 0.08);
}
