#include "sim/evidence/rl_rows.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/cluster/precision_words.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/csv_row.hpp"
#include "sim/core/parallel.hpp"
#include "sim/evidence/rollout_names.hpp"
#include "sim/rollout/training_passes.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// Tokens of a prompt where none are stated: those of OpenMathInstruct-2, which tokens/s, step and
/// responses of NeMo RL's tables give (100 to 135).
constexpr double typical_prompt = 120;

/// Precision of a cell; bf16 if it is empty.
Precision precision_in_rl(const CsvRow& cells, std::string_view column) {
  const auto named = precision_of(cells, column);
  return named ? named->precision : Precision::Bf16;
}

int forward_passes(const CsvRow& cells) {
  const std::string reference = cells.lower_text("ref_logprobs");
  if (reference == "reference only") return 1;
  const bool is_off = reference == "no" || reference.starts_with("skip") || reference == "kl=0";
  return is_off ? 1 : 2;
}

/// Mean tokens of a response; where they are not stated they follow from the tokens of a second.
double mean_response(const CsvRow& cells, double responses, double prompt, double gpus) {
  if (const auto stated = cells.positive("mean_gen_len")) return *stated;
  const auto rate = cells.positive("tokens_per_s_per_gpu");
  const auto step = cells.positive("step_s");
  if (!rate || !step)
    cells.fail("mean_gen_len", "is empty, and tokens_per_s_per_gpu and step_s do not give it");
  return *rate * gpus * *step / responses - prompt;
}

/// Split of the training step as stated; what is not is chosen.
StatedPlan stated_training_plan(const CsvRow& cells) {
  StatedPlan plan;
  plan.name = "of the row";
  const auto state = [&](std::string_view column, int Plan::*member, std::string_view field) {
    if (const auto size = cells.count(column)) {
      plan.split.*member = *size;
      plan.stated.emplace_back(field);
    }
  };
  state("train_tp", &Plan::tensor_parallel_size, "tp");
  state("train_pp", &Plan::pipeline_parallel_size, "pp");
  state("train_cp", &Plan::context_parallel_size, "cp");
  state("train_ep", &Plan::expert_parallel_size, "ep");
  if (plan.split.expert_parallel_size > 1) {
    plan.split.whole_experts = true;
    plan.stated.emplace_back("whole_experts");
  }
  plan.split.precision = precision_in_rl(cells, "train_precision");
  plan.stated.emplace_back("precision");
  return plan;
}

RlObservation observation_of(const CsvRow& cells, const std::filesystem::path& configs,
                             Library& library, const KernelProfile& profile) {
  RlObservation seen;
  seen.model = model_file_name(cells.needed_text("model"));
  Model model = find_model(configs, seen.model);
  seen.decoder = decoder_of(model);
  seen.cluster = cluster_of_chip(cells, library);
  const int gpus = cells.needed_count("gpus");
  const bool is_split = cells.lower_text("mode") == "split";
  seen.placement = {.is_colocated = !is_split,
                    .steps_off = cells.count("steps_off", 0).value_or(0)};
  const int generators = is_split ? cells.needed_count("gpus_generation")
                                  : cells.count("gpus_generation").value_or(gpus);
  const int trainers =
      is_split ? cells.needed_count("gpus_training") : cells.count("gpus_training").value_or(gpus);
  const double responses = cells.needed_positive("gen_batch");
  const double prompt = cells.not_negative("prompt_len").value_or(typical_prompt);
  const double mean = mean_response(cells, responses, prompt, gpus);
  const double cap = cells.needed_positive("max_seq_len") - prompt;
  if (mean > cap) cells.fail("mean_gen_len", "is above max_seq_len less the prompt");

  seen.layout = {
      .ranks = cells.count("gen_tp").value_or(1),
      .weights = precision_in_rl(cells, "gen_precision"),
      .memory_share = cells.positive("gpu_mem_util")
                          .value_or(is_split ? memory_share_alone : memory_share_beside_training)};
  seen.predicts_generation = cells.count("gen_tp").has_value();
  seen.rollout = {.responses = responses,
                  .prompt = prompt,
                  .lengths = {.mean = mean, .cap = cap},
                  .engines = std::max(1, generators / seen.layout.ranks),
                  .most_sequences = cells.count("max_num_seqs").value_or(default_most_sequences),
                  .batches_in_flight = seen.placement.steps_off + 1};
  const int updates =
      cells.count("train_updates_per_step")
          .value_or(std::max(
              1, static_cast<int>(responses / cells.positive("train_batch").value_or(responses))));
  model.sequence_length = prompt + mean;
  TrainingRequest training{.model = model,
                           .cluster = seen.cluster,
                           .profile = profile,
                           .plan = stated_training_plan(cells),
                           .accelerators = trainers,
                           .responses = responses,
                           .updates = updates,
                           .forward_passes = forward_passes(cells),
                           .packed_tokens = cap + prompt};
  try {
    seen.passes = simulated_passes(training).times;
  } catch (const InputError&) {  // frameworks split what tofn's rules do not: then its best plan
    training.plan.stated = {"precision"};
    training.plan.split = Plan{.precision = training.plan.split.precision};
    seen.passes = simulated_passes(training).times;
  }
  seen.step = cells.positive("step_s");
  if (seen.placement.is_colocated) seen.generation = cells.positive("generation_s");
  seen.logprobs = cells.positive("logprobs_s");
  seen.updates = cells.positive("training_s");
  return seen;
}

/// Job without what differs between its on-policy and its off-policy row.
std::string recipe_of(const CsvRow& cells) {
  return fmt::format("{} {} {} {} {}", cells.text("release"), cells.text("model"),
                     cells.text("chip"), cells.text("gen_precision"), cells.text("gen_batch"));
}

}  // namespace

std::vector<RlRow> read_rl_rows(const std::filesystem::path& file,
                                const std::filesystem::path& configs, Library& library) {
  const CsvTable table = CsvTable::read(file);
  const KernelProfile profile = find_kernel_profile(configs, default_stack);
  library.clusters();  // read before threads share them
  std::vector<RlRow> rows(table.rows());
  in_parallel(table.rows(), [&](std::size_t i) {
    const CsvRow cells(table, i);
    RlRow& row = rows[i];
    row = {.id = cells.needed_text("id"),
           .model = cells.text("model"),
           .chip = cells.text("chip"),
           .trust = cells.text("trust"),
           .recipe = recipe_of(cells),
           .left_out = cells.text("left_out")};
    try {
      row.accelerators = cells.needed_count("gpus");
      row.seen = observation_of(cells, configs, library, profile);
      if (row.left_out.empty() && cells.text("algorithm").find("agent") != std::string::npos)
        row.left_out = "generation waits for the tools of agents";
      if (row.left_out.empty() && row.trust == "C") row.left_out = "its source is of trust C";
      if (row.left_out.empty() && !row.seen->step) row.left_out = "no step is stated";
      if (row.left_out.empty() && !row.seen->predicts_generation)
        row.left_out = "the ranks of an engine are unknown";
      predicted(*row.seen, {}, {});
    } catch (const InputError& error) {
      row.left_out = error.what();
      row.seen.reset();
    }
  });
  return rows;
}

}  // namespace evidence
}  // namespace tofn
