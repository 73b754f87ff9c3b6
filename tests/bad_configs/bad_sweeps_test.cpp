#include <array>
#include <string>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"

using namespace tofn::test;

namespace {

/// A broken sweep file below cases/, and the text printed after the file's name.
struct BadSweep {
  const char* name;
  const char* message;
};

constexpr auto bad_sweeps = std::to_array<BadSweep>({
    {"sweep-unknown-path.yaml",
     ":8:11: axes: acelerators: unknown field 'acelerators', did you mean 'accelerators'? valid "
     "fields: workload, model, cluster, plan, stack, calibration, accelerators, dp, batch, "
     "replica_batch, reference, tokens, samples, trains, price, price_term, failure_every, "
     "restart, "
     "checkpoint_cost, checkpoint_every, grid, tp, cp, pp, chunks, ep, whole_experts, "
     "expert_dispatch, fp8_dispatch, expert_overlap, schedule, stage_layers, balanced_stages, "
     "sequence_parallel, tensor_overlap, context_exchange, recompute, recompute_modules, "
     "loss_chunks, sharded, "
     "shards_in_domain, shard_ranks, data_overlap, parameter_overlap, send_overlap, optimizer, "
     "offload_optimizer, kept_parameters, kept_gradients, kept_master, kept_moments, compression, "
     "cuda_graphs, compile, precision, gradient_precision, parameter_precision, fp8_attention, "
     "accelerators_per_domain, sharp, micro_batch, grad_accum, sequence_length"},
    {"sweep-unknown-thing.yaml",
     ":10:11: axes: clusters.network.latency: unknown thing 'clusters', did you mean "
     "'cluster'? valid things: accelerator, workload, model, cluster, plan, stack"},
    {"sweep-unknown-field.yaml",
     ":10:11: axes: cluster.network.nic_bandwith: {configs}/clusters/dgx-h100.yaml:24:3: "
     "network: unknown key 'nic_bandwith', did you mean 'nic_bandwidth'? valid keys: kind, fabric, "
     "nics_per_node, nic_bandwidth, bandwidth_efficiency, latency, in_network_reduction, "
     "nodes_per_leaf, oversubscription, spine_latency, protocols"},
    {"sweep-bad-value.yaml",
     ":10:11: axes: cluster.network.latency: {configs}/clusters/dgx-h100.yaml:28:12: "
     "network.latency: expected a time such as '3.5 us', got '3 GB' (a size)"},
    {"sweep-factor-of-text.yaml",
     ":10:15: axes: cluster.network.kind: 'infiniband' is no number that a factor could "
     "multiply"},
    {"sweep-unknown-model.yaml",
     ":4:3: model: unknown model 'llama3-9b', did you mean 'llama3-8b', 'llama2-7b' or "
     "'llama3-70b'? All {models}: `tofn list models`; a config.json, the folder that holds one or "
     "a name of Hugging Face's hub (Qwen/Qwen3-8B) is a model too"},
    {"sweep-no-base.yaml", ":4:3: base: needs a workload or a model, one of them"},
    {"sweep-changes-no-cluster.yaml", ":4:3: base: needs a cluster, which axes change"},
    {"sweep-changes-no-model.yaml", ":4:3: base: needs a model, which axes change"},
    {"sweep-no-batch.yaml", ":4:3: base: of a model needs batch or replica_batch"},
    {"sweep-no-trains.yaml",
     ":4:3: base: days, cost_usd and other figures of a run need tokens, e.g. 2T"},
    {"sweep-no-run.yaml",
     ":4:3: base: failure_every changes nothing without a run: state tokens, e.g. 2T"},
    {"sweep-workload-word.yaml",
     ":8:17: base.kept_moments: the plan states kept_moments, which predictions from measured runs "
     "do not know; `tofn step` simulates it"},
    {"sweep-workload-domain.yaml",
     ":8:28: base.accelerators_per_domain: accelerators_per_domain changes nothing of a workload "
     "of observed runs, which fills domains as its groups need"},
    {"sweep-workload-passes.yaml",
     ":8:16: base.micro_batch: changes nothing of a workload, whose passes are fitted to runs"},
    {"sweep-trains-no-unit.yaml",
     ":10:11: axes: trains: expected an amount above 0 of samples, tokens or steps such as '2T "
     "tokens', got '2T'"},
    {"sweep-no-reference.yaml",
     ":4:3: base: speedup and efficiency need reference: the accelerators to compare with"},
    {"sweep-two-axes.yaml", ":10:11: axes: two axes change 'accelerators'"},
    {"sweep-axis-point.yaml",
     ":8:11: axes: 'point' is the name of a column: give the axis another name"},
    {"sweep-zip.yaml",
     ":11:7: axes.zip: batch has 2 values, tensor_parallel has 1: zipped axes have as many"},
    {"sweep-fraction.yaml",
     ":8:11: axes: accelerators: expected a whole number from 1 to 1000000000, got '16.5'"},
    {"sweep-word-of-plan.yaml", ":9:9: axes: tp: expected a whole number, got 'a'"},
    {"sweep-range-backwards.yaml", ":9:27: axes.range.to: must not be below from"},
    {"sweep-unknown-column.yaml",
     ":10:19: columns: unknown column 'minutes'; valid columns: accelerators, gpus_per_node, "
     "domain, cluster, accelerator, substituted, batch, replica_batch, micro_batch, grad_accum, "
     "tp, cp, pp, chunks, dp, ep, whole_experts, expert_dispatch, fp8_dispatch, expert_overlap, "
     "schedule, stage_layers, balanced_stages, sequence_parallel, tensor_overlap, "
     "context_exchange, recompute, recompute_modules, loss_chunks, sharded, shards_in_domain, "
     "shard_ranks, "
     "data_overlap, "
     "parameter_overlap, send_overlap, optimizer, offload_optimizer, kept_parameters, "
     "kept_gradients, kept_master, kept_moments, compression, cuda_graphs, compile, precision, "
     "gradient_precision, parameter_precision, fp8_attention, accelerators_per_domain, sharp, "
     "plan, memory_gb, memory_share, fits, fits_memory, step_s, samples_per_s, samples_per_s_each, "
     "communication_s, communication_exposed_s, communication_exposed_share, comm_to_comp, "
     "tflops_each, mfu, compute_s, launch_s, tensor_s, context_s, expert_s, pipeline_s, data_s, "
     "bubble_s, imbalance_s, optimizer_s, bottleneck, joules_per_sample, step_s_low90, "
     "step_s_high90, steps, samples, tokens, tokens_per_s, tokens_per_s_low90, "
     "tokens_per_s_high90, tokens_per_s_each, mfu_6n, mfu_low90, mfu_high90, hfu, training_s, "
     "evaluation_s, input_s, start_up_s, lost_s, time_s, time_to_train_min, "
     "time_to_train_min_low90, time_to_train_min_high90, days, days_as_runs_went, days_low90, "
     "days_high90, goodput, accelerator_hours, accelerator_hours_low90, accelerator_hours_high90, "
     "energy_kwh, energy_kwh_low90, energy_kwh_high90, co2_t, cost_usd, cost_usd_as_runs_went, "
     "cost_usd_low90, cost_usd_high90, memory_gb_low90, memory_gb_high90, batch_price, "
     "batch_price_low90, batch_price_high90, petaflop_s_days, evaluations, evaluation_each_s, "
     "score_scaling_s, speedup, efficiency, throughput_efficiency"},
    {"sweep-unknown-constraint.yaml",
     ":10:15: constraints: 'tpp <= 8': unknown name 'tpp', did you mean 'tp'? valid names: "
     "accelerators, gpus_per_node, domain, batch, replica_batch, micro_batch, grad_accum, tp, cp, "
     "pp, chunks, dp, ep, whole_experts, fp8_dispatch, expert_overlap, balanced_stages, "
     "sequence_parallel, tensor_overlap, loss_chunks, shards_in_domain, "
     "shard_ranks, "
     "data_overlap, "
     "parameter_overlap, send_overlap, offload_optimizer, fp8_attention, accelerators_per_domain, "
     "sharp, memory_gb, memory_share, fits, fits_memory, step_s, samples_per_s, "
     "samples_per_s_each, "
     "communication_s, communication_exposed_s, communication_exposed_share, comm_to_comp, "
     "tflops_each, mfu, compute_s, launch_s, tensor_s, context_s, expert_s, pipeline_s, data_s, "
     "bubble_s, imbalance_s, optimizer_s, joules_per_sample, step_s_low90, step_s_high90, steps, "
     "samples, tokens, tokens_per_s, tokens_per_s_low90, tokens_per_s_high90, tokens_per_s_each, "
     "mfu_6n, mfu_low90, mfu_high90, hfu, training_s, evaluation_s, input_s, start_up_s, lost_s, "
     "time_s, time_to_train_min, time_to_train_min_low90, time_to_train_min_high90, days, "
     "days_as_runs_went, days_low90, days_high90, goodput, accelerator_hours, "
     "accelerator_hours_low90, accelerator_hours_high90, energy_kwh, energy_kwh_low90, "
     "energy_kwh_high90, co2_t, cost_usd, cost_usd_as_runs_went, cost_usd_low90, cost_usd_high90, "
     "memory_gb_low90, memory_gb_high90, batch_price, batch_price_low90, batch_price_high90, "
     "petaflop_s_days, evaluations, evaluation_each_s, score_scaling_s, speedup, efficiency, "
     "throughput_efficiency"},
    {"sweep-broken-constraint.yaml",
     ":10:15: constraints: 'tp <=': Unexpected end of expression at position 6"},
    {"sweep-bad-goal.yaml",
     ":10:22: select.by: expected e.g. 'least step_s' or 'most samples_per_s', got 'fastest "
     "step_s'"},
    {"sweep-text-goal.yaml", ":10:22: select: 'bottleneck' is text: a goal is a number"},
    {"sweep-one-goal.yaml", ":10:18: select.pareto: needs at least two goals"},
    {"sweep-dp-and-accelerators.yaml",
     ":5:3: base: says accelerators and dp, which follows from them: leave one out"},
    {"sweep-best-axis.yaml",
     ":11:13: best.of: unknown axis name 'tpp', did you mean 'tp'? valid axis names: accelerators, "
     "tp"},
    {"sweep-best-zip.yaml", ":13:22: best.of: has some axes of the zip of tp: name all of them"},
    {"sweep-best-text.yaml", ":11:22: best: 'bottleneck' is text: a goal is a number"},
    {"sweep-base-word.yaml",
     ":8:12: base.sharded: sharded: unknown value 'weights'; valid values: nothing, optimizer, "
     "gradients, parameters"},
    {"sweep-base-restart.yaml",
     ":8:12: base.restart: a unit is missing: expected a time such as '3.5 us', got '15'"},
    {"sweep-price-term.yaml",
     ":10:17: axes: price_term: unknown price term 'on-demand', did you mean 'on_demand'? valid "
     "price terms: on_demand, reserved_1y, reserved_3y, spot"},
    {"sweep-tokens-twice.yaml",
     ":9:11: base.trains: says again what another key does: leave one out"},
    {"sweep-tokens.yaml",
     ":8:11: base.tokens: expected a number above 0 such as 2T, 200B or 1.4e12, got '2 trillion'"},
    {"sweep-calibration.yaml",
     ":9:18: calibration: unknown calibration 'h100-dgx-1x9', did you mean 'h100-dgx-1x8', "
     "'h100-dell-2x8' or 'h100-aws-efa'? All {calibrations}: `tofn list calibrations`"},
    {"sweep-stack.yaml",
     ":9:12: stack: unknown stack 'megatron-cor', did you mean 'megatron-core', 'megatron-bridge' "
     "or "
     "'megatron-bridge-2025'? All {stacks}: `tofn list stacks`"},
    {"sweep-axis-twice.yaml", ":10:11: axes: two axes change 'plan.tensor_parallel'"},
    {"sweep-axis-values.yaml",
     ":9:9: axes.tp: needs one of values, range, log_range, doubling and sample"},
});

}  // namespace

TEST_CASE("a bad sweep is refused before a point of it runs") {
  for (const auto& [name, message] : bad_sweeps) {
    const std::string path = std::string("{cases}/") + name;
    for (const char* command : {"check", "sweep"})
      check_refused(std::string(command) + " '" + path + "'", path + message);
  }
}

TEST_CASE("points that make no row are told whatever the format") {
  for (const char* format : {"table", "csv", "json"}) {
    const Outcome outcome = run_program(std::string("sweep one-to-32-gpus --format ") + format);
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.output + outcome.errors, ContainsText("2 refused, the first (point 6): "));
  }
}

TEST_CASE("a sweep of which every point is refused is told so, whatever its output") {
  const TemporaryFile sweep("refused.yaml",
                            "name: refused\ntitle: a test\nbase:\n  model: llama3-8b\n"
                            "  cluster: dgx-h100\n  accelerators: 64\n  batch: 128\n"
                            "axes:\n  - path: tp\n    values: [3, 5]\ncolumns: [step_s]\n");
  const std::string refused =
      "no point makes a row: 2 are refused: no plan splits this job: tp*pp*cp = 3*1*1 = 3 does not "
      "divide 64 accelerators";
  const TemporaryFile rows("refused.csv", "");
  std::filesystem::remove(rows.path());
  const std::vector<std::string> outputs{"", " -q --format csv",
                                         " -q -o '" + rows.path().string() + "'"};
  for (const std::string& output : outputs) {
    INFO(output);
    const Outcome outcome = run_program("sweep '" + sweep.path().string() + "'" + output);
    CHECK(outcome.exit_code == 2);
    CHECK_THAT(outcome.errors, ContainsText(refused));
  }
}

TEST_CASE("options of a sweep that make no sense are refused") {
  check_refused("sweep", "which sweep? for example: tofn sweep llama3-70b-plans");
  check_refused("sweep one-to-32-gpus --resume",
                "--resume: needs the file of the earlier run: -o FILE");
  check_refused("sweep one-to-32-gpus --threads 0",
                "--threads: expected a whole number from 1 to 1024, got '0'");
}
