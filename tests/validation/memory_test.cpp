#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/steps_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/resolve.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/evidence/step_rows.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/published/backtest.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "tests/catch.hpp"

// Memory of the four models of Figure 1 of arXiv 2205.05198, and of the steps of configs/measured
// that state it. No figure is fitted to either, but the parts to count were chosen row by row on
// the latter (`disclosures`), so their errors are not independent.
using namespace tofn;
using namespace tofn::test;

namespace {

const std::string configs_folder = TOFN_SOURCE_DIR "/configs";

/// One bar of the figure, and its plan.
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

/// Memory without embedding and vocabulary, as in the figure.
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
  // Norms and biases, which the figure omits, are 13/(12 h) of the weights.
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
  // The figure omits the embedding, which the first stage has, so its states miss by more: 18
  // (51,200/8 + 2048) h bytes, because Megatron-LM keeps learned positions whole on each rank.
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

// The goal was 1.5 % in the mean and 3 at most for Megatron-LM's rows, and 5 for PyTorch's, before
// mixtures of experts joined (sim/report/scorecard_report.cpp). The bounds are drift alarms a
// little above the results of 2026-11-27: 3 % for Megatron-LM's, 7 for all rows. The largest errors
// are nanotron's pipelines, 10 to 27 % too low; BLOOM's first trials, 15 to 19, and one of its
// later rows, 28; Llama 3.1 405B on pipelines of torchtitan, 7 to 27; and two mixtures of
// Megatron-LM's tests, whose sources do not state the number of accelerators, 17 and 20 too high.
TEST_CASE("peaks of memory that steps state are met as each stack reads them") {
  std::map<std::string, std::vector<double>> errors;
  KnownSteps steps(configs_folder);
  std::vector<ScoredStep> rows;
  for (const auto& table : tables_of_steps(configs_folder)) steps.read(table, &rows);
  std::erase_if(rows, [](const ScoredStep& row) { return !row.memory; });
  for (const ScoredStep& step : rows)
    for (const auto& group : {step.stack, std::string("all")})
      errors[group].push_back(std::abs(step.memory->error()));
  CHECK(errors["all"].size() == 173);
  CHECK(summary(errors["megatron-lm"]).mean < 0.032);
  CHECK(summary(errors["megatron-lm"]).worst < 0.2);
  CHECK(summary(errors["torchtitan"]).mean < 0.07);
  CHECK(summary(errors["pytorch"]).mean < 0.07);
  CHECK(summary(errors["all"]).mean < 0.07);
}

namespace {

const Library& memory_library() {
  static const Library loaded = Library::load(configs_folder);
  return loaded;
}

/// Memory of the most loaded stage as a share of the accelerator's.
double share_held(const StepCase& step, const KernelProfile& stack) {
  const Plan computed = computed_plan(step.plan, step.model, step.cluster.accelerator);
  const Footprint held =
      largest_footprint(layer_work(step.model, computed), step.plan,
                        memory_profile(step.model, step.plan, step.cluster, stack));
  return held.total() / step.cluster.accelerator.memory.value;
}

/// Models whose plans are not fully stated, with the reason. Their rows came out above the memory.
const std::map<std::string, std::string> open_rows{
    {"maxtext", "what is offloaded to the host, and groups of shards other than domains"},
    {"megatron-bridge LLAMA3_70B", "activations offloaded to the host"},
    {"megatron-bridge LLAMA3.1_405B", "likewise"},
    {"megatron-bridge GPT OSS 120B", "which modules are recomputed"},
    {"megatron-deepspeed Llama3.1-70B", "what Gaudi 2 recomputes"},
    {"megatron-deepspeed SmolLM3-8L", "how the loss over 256,000 entries is taken"},
    {"megatron-deepspeed SmolLM3-18L", "likewise"},
    {"nemo LLAMA2-70B SFT", "what a step of fine-tuning keeps"}};

struct Fits {
  std::size_t reported = 0;
  std::vector<std::string> wrong;  ///< predicted more than a tenth above the memory
};

/// Verdicts on rows of trust A and B. Other rows may have fitted by means that they do not state.
Fits fits_of(const std::filesystem::path& table) {
  static const std::vector<KernelProfile> stacks = load_stacks(configs_folder);
  static const KernelProfile unknown = find_kernel_profile(configs_folder, "unknown");
  Fits all;
  for (const StepCaseRow& row : read_step_cases(table, memory_library()).rows) {
    const std::string name = fmt::format("{} {}", row.stack, row.step.model.name);
    if (trust_of(row.source) == "C" || open_rows.contains(name) || open_rows.contains(row.stack))
      continue;
    const KernelProfile* found = stack_of_table(stacks, row.stack, row.accelerator, row.source);
    const KernelProfile& stack = found != nullptr ? *found : unknown;
    try {
      const double share = share_held(run_by(stack, row), stack);
      ++all.reported;
      if (share > 1.1) all.wrong.push_back(fmt::format("{}: {:.2f}", name, share));
    } catch (const InputError&) {  // the plan does not divide the model
    }
  }
  return all;
}

}  // namespace

TEST_CASE("no measured step is said not to fit beyond a tenth of the memory") {
  std::size_t reported = 0;
  for (const auto& table : tables_of_steps(configs_folder)) {
    const Fits found = fits_of(table);
    CAPTURE(table.filename().string(), found.wrong);
    CHECK(found.wrong.empty());
    reported += found.reported;
  }
  CHECK(reported > 450);
}

TEST_CASE("no published run is said not to fit beyond a tenth of the memory") {
  Resolver resolver(memory_library());
  std::size_t reported = 0;
  for (const char* name : {"mlperf-gpt3", "mlperf-training-v5.0"}) {
    const auto table =
        resolver.resolve(read_published_table(configs_folder + "/published/" + name + ".csv"));
    const std::vector<BacktestRow> rows = backtest(table, {}, {.estimates = true});
    REQUIRE(rows.size() == table.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].estimate || !rows[i].estimate->memory) continue;
      const Bytes held = rows[i].estimate->memory->total();
      CAPTURE(rows[i].row.inputs.system, to_text(held));
      CHECK(held <= 1.1 * table[i].run->cluster->accelerator.memory.value);
      ++reported;
    }
  }
  CHECK(reported > 10);
}

TEST_CASE("plans of published runs of GPT-3 175B and Llama 3.1 405B fit their accelerators") {
  const auto share = [](const char* model, const char* plan, const char* stack, int accelerators,
                        double batch) {
    const StepCase step{.model = find_model(configs_folder, model),
                        .plan = plan_on(find_plan(configs_folder, plan), accelerators, batch),
                        .cluster = *memory_library().find_cluster("dgx-h100"),
                        .measured = {}};
    return share_held(step, find_kernel_profile(configs_folder, stack));
  };
  // MLPerf Training v4.1 on 64 nodes of 8 H100, and v5.0 on 128 nodes.
  CHECK(share("gpt3-175b-mlperf", "gpt3-mlperf", "nemo-2024", 512, 2048) <= 1);
  CHECK(share("llama3-405b", "llama31-405b-mlperf", "nemo", 1024, 1152) <= 1);
  // arXiv 2407.21783, table 4: its own stack frees what it has sent, by unstated means.
  CHECK(share("llama3-405b", "llama3-405b", "unknown", 16384, 2048) <= 1.1);
}
