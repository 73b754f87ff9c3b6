
#include <array>
#include <span>
#include <string>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"

using namespace tofn::test;

namespace {

/// A broken file below cases/, and the text that `tofn check` prints after the file's name.
struct BadFile {
  const char* name;
  const char* message;
};

constexpr auto bad_values = std::to_array<BadFile>({
    {"misspelt-optional-key.yaml",
     ":13:1: unknown key 'netwrok', did you mean 'network'? valid keys: name, description, "
     "machine, systems, accelerator, node, scale_up, network, library, host_copies, all_reduce, "
     "power, prices, sources"},
    {"misspelt-required-key.yaml",
     ":1:1: missing key 'memory_bandwidth'\ntofn: {cases}/misspelt-required-key.yaml:4:1: unknown "
     "key 'memory_bandwith', did you mean 'memory_bandwidth'? valid keys: name, vendor, aliases, "
     "architecture, die, "
     "peak, scale_up, memory, memory_bandwidth, multiprocessors, best_product, best_fp8_product, "
     "best_fp4_product, host_link, power, "
     "idle_power, prices, sources"},
    {"missing-key.yaml", ":1:1: missing key 'power'"},
    {"duplicate-key.yaml", ":12:1: duplicate key 'memory'"},
    {"missing-unit.yaml",
     ":3:9: memory: a unit is missing: expected a size such as '80 GiB', got '80'"},
    {"number-without-unit-space.yaml",
     ":13:8: power: expected a power such as '700 W', got '700W'"},
    {"wrong-unit-kind.yaml",
     ":13:8: power: expected a power such as '700 W', got '700 GB/s' (a bandwidth)"},
    {"unknown-unit.yaml",
     ":12:12: host_link: unknown unit 'GB/sec', did you mean 'GB/s'? valid units: B/s, kB/s, MB/s, "
     "GB/s, TB/s, PB/s, EB/s, KiB/s, MiB/s, GiB/s, TiB/s, PiB/s, b/s, kb/s, Mb/s, Gb/s, Tb/s, "
     "Pb/s, Eb/s, Kib/s, Mib/s, Gib/s, Tib/s, Pib/s"},
    {"infinite-power.yaml", ":13:8: power: expected a power such as '700 W', got '1e999 W'"},
    {"zero-memory.yaml", ":3:9: memory: must be above 0"},
    {"negative-bandwidth.yaml", ":9:14: scale_up.bandwidth: must be above 0"},
    {"negative-latency.yaml", ":18:12: network.latency: must not be negative"},
    {"efficiency-above-1.yaml",
     ":10:25: scale_up.bandwidth_efficiency: must be above 0 and at most 1"},
    {"not-a-number.yaml", ":10:25: scale_up.bandwidth_efficiency: expected a number, got '.nan'"},
    {"oversubscription-below-1.yaml", ":21:21: network.oversubscription: must be at least 1"},
    {"number-as-text.yaml",
     ":11:24: scale_up.domain_accelerators: expected a whole number, got 'eight'"},
    {"hexadecimal.yaml",
     ":11:24: scale_up.domain_accelerators: expected a whole number, got '0x10'"},
    {"fraction-of-accelerator.yaml",
     ":11:24: scale_up.domain_accelerators: expected a whole number, got '7.5'"},
    {"boolean-as-yes.yaml",
     ":12:24: scale_up.in_switch_reduction: expected true or false (on or off), got 'yes'"},
    {"no-peak.yaml",
     ":6:3: peak: unknown key 'int8'; valid keys: fp32, tf32, bf16, fp16, fp8, fp4"},
    {"unknown-choice.yaml",
     ":14:9: network.kind: unknown value 'infinband', did you mean 'infiniband'? valid values: "
     "infiniband, roce, ethernet, slingshot, torus, host-network"},
    {"unknown-protocol.yaml",
     ":15:23: network.protocols: unknown value 'LL64'; valid values: LL, LL128, Simple"},
    {"unknown-accelerator.yaml",
     ":3:14: accelerator: unknown accelerator 'H100 SMX', did you mean 'H100 SXM', 'H100 SXM 96GB' "
     "or "
     "'H200 SXM'? All {accelerators}: `tofn list accelerators`"},
    {"unknown-source.yaml",
     ":7:17: node.accelerators: unknown source 'datashet', did you mean 'datasheet'? valid "
     "sources: assumed, datasheet"},
    {"source-without-reference.yaml", ":4:3: sources: 'sheet' needs a reference as text"},
    {"list-for-map.yaml", ":5:3: node: expected a map, got a list"},
    {"accelerator-as-list.yaml", ":4:3: accelerator: expected text, got a list"},
    {"price-negative.yaml",
     ":23:14: prices.on_demand: expected a price above 0 such as '6.88 USD/h', got '-2.5 USD/h'"},
    {"price-without-unit.yaml",
     ":23:9: prices.spot: expected a price above 0 such as '6.88 USD/h', got '2.5'"},
    {"price-unknown-term.yaml",
     ":24:3: prices: unknown key 'spott', did you mean 'spot'? valid keys: on_demand, reserved_1y, "
     "reserved_3y, spot"},
    {"facility-below-1.yaml", ":23:20: power.facility_factor: must be at least 1"},
    {"idle-power-of-work.yaml",
     ":14:13: idle_power: must be above 0 and below the accelerator's power"},
    {"limit-below-idle-power.yaml",
     ":6:28: node.accelerator_power_limit: must be above the accelerator's idle power, 70 W"},
    {"best-product-above-peak.yaml",
     ":15:19: best_fp8_product: must not be above peak.fp8, 1.8 PFLOP/s"},
    {"domain-smaller-than-node.yaml",
     ":8:24: scale_up.domain_accelerators: must be at least the accelerators of a node"},
    {"domain-splits-a-node.yaml",
     ":8:24: scale_up.domain_accelerators: must be a multiple of the accelerators of a node"},
});

constexpr auto bad_workloads_and_plans = std::to_array<BadFile>({
    {"layers-do-not-sum.yaml", ":1:1: the layers have 1500 parameters, 'parameters' says 1000"},
    {"trainable-layers-do-not-sum.yaml",
     ":1:1: the layers have 800 trainable parameters, 'trainable_parameters' says 1000"},
    {"layers-as-map.yaml", ":8:5: layers: expected a list, got a map"},
    {"zero-count.yaml", ":9:12: layers.count: must be at least 1"},
    {"gemms-disagree.yaml",
     ":18:7: layers.gemms: the GEMMs have 524.288 MFLOP, 'forward' says 1 GFLOP"},
    {"unknown-collective.yaml",
     ":22:19: gradients.synchronisation.collective: unknown value 'allreduce', did you mean "
     "'all-reduce'? valid values: all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, "
     "send-receive"},
    {"batches-descend.yaml", ":40:5: convergence: batches must ascend"},
    {"replaced-never.yaml",
     ":45:5: replaced_convergence: 'convergence' has no point of batch 32 that replaced it"},
    {"one-reference-point.yaml", ":36:3: convergence: needs at least two reference points"},
    {"interval-twice.yaml", ":31:3: evaluation: needs either interval or interval_rule"},
    {"interval-never.yaml", ":31:3: evaluation: needs either interval or interval_rule"},
    {"unknown-interval-rule.yaml",
     ":33:18: evaluation.interval_rule: unknown rule 'mlperf-brt'; valid rules: mlperf-bert"},
    {"plan-unknown-key.yaml",
     ":5:1: unknown key 'sequence_length'; valid keys: name, tensor_parallel, context_parallel, "
     "pipeline_parallel, chunks_per_stage, expert_parallel, whole_experts, expert_dispatch, "
     "fp8_dispatch, expert_overlap, schedule, stage_layers, balanced_stages, sequence_parallel, "
     "context_exchange, recompute, recompute_modules, loss_chunks, sharded, shards_in_domain, "
     "shard_ranks, "
     "parameter_overlap, send_overlap, optimizer, offload_optimizer, kept_parameters, "
     "kept_gradients, kept_master, kept_moments, compression, compile, gradient_precision, "
     "parameter_precision, accelerators_per_domain, gradient_accumulation, micro_batch, settings, "
     "sources"},
    {"plan-interleaved-zero-bubble.yaml",
     ":1:1: 2 chunks per stage need the 1f1b, breadth-first, zb-v, v-half or dualpipe-v "
     "schedule: zero-bubble runs 1"},
    {"plan-stage-layers.yaml",
     ":1:1: stage_layers needs a number for each of 4 stages x 1 chunks, got 3"},
    {"plan-stage-layers-text.yaml", ":5:22: stage_layers: expected a whole number, got 'many'"},
    {"plan-none-of-a-domain.yaml", ":5:26: accelerators_per_domain: must be at least 1"},
    {"plan-unknown-schedule.yaml",
     ":6:11: schedule: unknown value '1b1f'; valid values: gpipe, 1f1b, zero-bubble, "
     "breadth-first, zb-v, eager-1f1b, v-half, dualpipe-v"},
    {"plan-misspelt-setting.yaml",
     ":6:3: settings: unknown key 'precison', did you mean 'precision'? valid keys: precision, "
     "fp8_attention, tensor_overlap, cuda_graphs, in_network_reduction, "
     "overlap_gradient_reduction"},
    {"plan-unknown-precision.yaml",
     ":6:14: settings.precision: unknown value 'fp7', did you mean 'fp8'? valid values: fp32, "
     "tf32, bf16, fp16, fp8, fp4"},
    {"plan-zero-split.yaml", ":2:18: tensor_parallel: must be at least 1"},
    {"model-unknown-part.yaml",
     ":7:5: parts: unknown part 'transfomer', did you mean 'transformer'? valid parts: vocabulary, "
     "transformer, attention, mlp, state_space, short_convolution, pattern, convolution, linear, "
     "bottlenecks, residual_blocks, image_transformer"},
    {"model-misspelt-key.yaml",
     ":7:71: parts.transformer: unknown key 'gate', did you mean 'gated'? valid keys: name, "
     "layers, hidden, biases, dropout, norm_biases, frozen, feed_forward, gated, experts, "
     "experts_per_token, shared_feed_forward, expert_groups, groups_per_token, expert_imbalance, "
     "expert_latent, "
     "heads, key_value_heads, head_size, "
     "query_key_value_biases, query_key_norms, output_gate, rotary, causal, fused_attention, "
     "window, "
     "window_share, latent_attention, norms, conditioning, streams, lora_rank, lora_targets"},
    {"model-heads-disagree.yaml",
     ":7:88: parts.transformer.key_value_heads: must divide the 4 heads"},
    {"model-widths-differ.yaml", ":1:1: parts of one text differ in hidden: 32 and 64"},
    {"model-without-source.yaml", ":1:1: missing key 'source'"},
    {"no-such-kind-of-file.yaml",
     ":1:1: is no kind of file that tofn knows, each of which has a key of its own: "
     "fabric 'tier', step profile 'step_rows', quote 'quoted', launcher 'marks', run 'phases', "
     "accelerator 'peak', "
     "cluster 'node', "
     "workload 'sample', model 'parts', model 'model_type', plan 'context_parallel', plan "
     "'tensor_parallel', stack 'gemm_efficiency', calibration 'tables', "
     "sweep 'axes', price list 'date'"},
    {"stack-misspelt-key.yaml",
     ":15:1: unknown key 'memory_eficiency', did you mean 'memory_efficiency'? valid keys: like, "
     "name, description, family, tables, vendors, measured_on, steps, fused_attention, "
     "data_overlap, "
     "parameter_overlap, "
     "tensor_overlap, send_overlap, balanced_stages, cuda_graphs, runs_tensor_parallel, "
     "runs_pipelines, runs_context_parallel, runs_sharded, runs_schedules, expert_dispatch, "
     "whole_experts, compile, vocabulary_multiple, sharded_in_pipeline, selective_recompute, "
     "kept_parameters, "
     "kept_gradients, kept_master, kept_moments, keeps_activation, keeps_gathered, keeps_answers, "
     "loss_bytes, "
     "split_loss_bytes, whole_logits, keeps_layer_gradients, gradients_grow, reported_memory, "
     "fragmentation, "
     "fp8, "
     "gemm_efficiency, best_product_share, fused_attention_efficiency, memory_efficiency, "
     "kernel_start, host_per_kernel, overlap_slowdown, optimizer_bytes, gradient_bytes, "
     "parameter_bytes, fp8_parameter_bytes, gradient_bucket, "
     "gradient_bucket_of_a_replica, host_memory_bandwidth, rank_noise, fp8_efficiency, "
     "quantise_bytes, misaligned_factor, unaligned_factor, "
     "unaligned_heads_factor, mixture_factor, mixture_launches, expert_exchange_factor, "
     "eager_factor, traffic_factor, other_products, volta_products, "
     "hopper_products, blackwell_products, tpu_products, other_attention, hopper_attention, "
     "blackwell_attention, tpu_attention, covariance, chips, mixture_chips, sources"},
    {"stack-efficiency-above-1.yaml", ":2:18: gemm_efficiency: must be above 0 and at most 1"},
    {"stack-measured-on-none.yaml", ":2:14: measured_on: must be above 0"},
    {"stack-like-nothing.yaml", ":2:7: like: no such stack beside this file"},
    {"stack-covariance.yaml", ":27:3: covariance: must have 24 rows of as many figures"},
    {"stack-slowdown-above-1.yaml", ":8:19: overlap_slowdown: must be from 0 to 1"},
});

/// Files that are not YAML (yaml-cpp writes that message), or that use YAML which configs may not
/// use.
constexpr auto bad_runs = std::to_array<BadFile>({
    {"run-no-unit.yaml",
     ":3:9: trains: expected an amount above 0 of samples, tokens, steps or epochs such as '2T "
     "tokens', got '2T'"},
    {"run-checkpoint-twice.yaml",
     ": checkpoints.takes: is what the storage's bandwidth says: state one of them"},
    {"run-unknown-model.yaml",
     ":2:8: model: unknown model 'llama3-8bb', did you mean 'llama3-8b', 'llama3-70b' or "
     "'llama2-13b'? All {models}: `tofn list models`; a config.json, the folder that holds one or "
     "a name of Hugging Face's hub (Qwen/Qwen3-8B) is a model too"},
    {"run-unknown-model-key.yaml",
     ":6:5: phases: unknown key 'sequence_lenght', did you mean 'sequence_length'? valid keys: "
     "sequence_length, name, trains, batch, rl, most_accelerators, plan"},
    {"run-plan-row.yaml",
     ":4:8: plan: unknown key 'tensor_paralel', did you mean 'tensor_parallel'? valid keys: "
     "tensor_parallel, context_parallel, pipeline_parallel, chunks_per_stage, expert_parallel, "
     "whole_experts, expert_dispatch, fp8_dispatch, expert_overlap, schedule, stage_layers, "
     "balanced_stages, sequence_parallel, context_exchange, recompute, recompute_modules, "
     "loss_chunks, sharded, "
     "shards_in_domain, shard_ranks, parameter_overlap, send_overlap, optimizer, "
     "offload_optimizer, "
     "kept_parameters, kept_gradients, kept_master, kept_moments, compression, "
     "compile, gradient_precision, parameter_precision, accelerators_per_domain, "
     "gradient_accumulation, "
     "micro_batch"},
    {"run-batch-of-steps.yaml", ":5:12: phases.batch: a batch is of samples or tokens"},
    {"run-half-sample.yaml", ":5:12: phases.batch: must be whole samples"},
    {"run-uneven-ramp.yaml",
     ":6:7: phases.batch: 32 samples do not grow to 1536 by whole steps of 24"},
    {"run-fine-ramp.yaml",
     ":6:7: phases.batch: 32 samples do not grow to 4032 by whole steps of 2"},
    {"run-falling-ramp.yaml",
     ":6:7: phases.batch: 64 samples do not grow to 32 by whole steps of 16"},
    {"run-long-ramp.yaml", ":4:5: phases: its batch grows over more than it trains"},
    {"run-too-much.yaml",
     ":3:9: trains: is no more than what the phases that state it train: none is left for another"},
    {"run-two-open.yaml",
     ":6:5: phases: missing key 'trains': only one phase can take what the others leave"},
    {"run-no-batch.yaml", ":5:5: phases: missing key 'batch': no phase before it states one"},
    {"run-no-phases.yaml", ":4:9: phases: needs at least one"},
    {"run-no-text.yaml", ":3:9: trains: samples of this model are no texts"},
    {"run-epochs.yaml", ":3:9: trains: the samples of an epoch are not stated"},
    {"run-unknown-target.yaml",
     ":3:9: target: unknown workload 'llama31_8', did you mean 'llama31_8b'? valid workloads: "
     "{workloads}"},
    {"run-target-and-trains.yaml",
     ":4:9: target: says what it trains as well as 'trains': leave one out"},
});

constexpr auto bad_yaml = std::to_array<BadFile>({
    {"tab.yaml", ":5:14: a tab indents this line: indent with spaces"},
    {"unclosed-quote.yaml", ":21:34: a quote is not closed"},
    {"unclosed-list.yaml", ":4:12: a [ is not closed, or a comma is missing"},
    {"anchor.yaml", ":11:12: scale_up: anchors and merge keys are not supported"},
    {"merge-key.yaml", ":14:3: network: anchors and merge keys are not supported"},
    {"two-documents.yaml", ":22:1: a second document; one file holds one document"},
    {"deep-nesting.yaml", ":1:70: name: nested too deeply"},
    {"empty.yaml", ": is empty"},
    {"only-comments.yaml", ": is empty"},
    {"binary.yaml", ": is not a text file"},
    {"latin-1.yaml", ": is not a text file"},
    {"no-such-file.yaml", ": cannot be read: No such file or directory"},
    {"crlf.yaml/below-a-file.yaml", ": cannot be read: Not a directory"},
    {"", ": is a directory, a file is needed"},
});

constexpr auto impossible_machines = std::to_array<BadFile>({
    {"link-above-memory.yaml",
     ":23:14: scale_up.bandwidth: share of the memory bandwidth is 1.34; it lies in 0 to 1: what "
     "is sent must be read from memory"},
    {"calibration-beyond-links.yaml",
     ": tables: line 14: 1.07 GB took 2 ms, but the least of all algorithms (in-switch) moves 1.21 "
     "GB over scale-up links of 450 GB/s a rank and direction: 2.68 ms"},
});

constexpr auto bad_tables = std::to_array<BadFile>({
    {"truncated-row.csv", ":4: row has 4 cells, the header has 8"},
    {"bad-number.csv", ":4:36: time_to_train_min: expected a number above 0, got '3.2 min'"},
    {"negative-time.csv", ":4:36: time_to_train_min: expected a number above 0, got '-3.2'"},
    {"fraction-of-accelerators.csv",
     ":4:24: accelerators: expected a whole number from 1 to 100000000, got '16.5'"},
    {"missing-column.csv",
     ":2: missing column 'global_batch_size'; columns: benchmark, org, system, accelerator, "
     "accelerators, precision, time_to_train_min"},
    {"duplicate-column.csv", ":2:65: duplicate column 'system'"},
    {"unclosed-quote.csv", ":4:11: a quote is not closed"},
    {"header-only.csv", ": has a header but no rows"},
    {"only-comments.csv", ": has no header row"},
});

constexpr auto bad_step_profiles = std::to_array<BadFile>({
    {"step-profile-zero-time.yaml", ":11:11: step_rows.step: must be above 0"},
    {"step-profile-no-unit.yaml",
     ":11:11: step_rows.step: a unit is missing: expected a time such as '3.5 us', got '94'"},
    {"step-profile-misspelt-key.yaml",
     ":5:5: step_rows: missing key 'spread'\ntofn: "
     "{cases}/step-profile-misspelt-key.yaml:12:5: step_rows: unknown key 'sprad', did you mean "
     "'spread'? valid keys: source, accelerators, global_batch, tensor_parallel, context_parallel, "
     "gradient_accumulation, step, spread, steps"},
    {"step-profile-wide-spread.yaml", ":12:13: step_rows.spread: must be at most 1"},
    {"step-profile-no-rows.yaml", ":4:12: step_rows: a step profile needs a row"},
    {"step-profile-bad-release.yaml",
     ":4:10: release: expected \"YY.MM\", e.g. \"24.09\", got 'soon'"},
    {"step-profile-unknown-workload.yaml",
     ": workload: unknown workload 'brt', did you mean 'bert'? valid workloads: {workloads}"},
    {"step-profile-impossible-plan.yaml",
     ": a: global batch 4 leaves less than one sample to each of 8 replicas x 1 accumulation "
     "steps: tp*pp*cp must be at least 2, is 1"},
});

constexpr auto bad_records = std::to_array<BadFile>({
    {"record-of-another-schema.json", ":2:17: tofn_record: is schema 2, this tofn reads 1"},
    {"record-unknown-kind.json",
     ":8:10: points.kind: unknown kind 'lunch', did you mean 'launch'? valid kinds: collective, "
     "gemm, memory, launch, slowdown, step"},
    {"record-missing-parameter.json",
     ":8:34: points.parameters: missing key 'mode', which every launch point has"},
    {"record-edited-median.json",
     ":9:197: points.median_us: is 1.9, but the samples have 2: edited or damaged"},
    {"record-wrong-bandwidth.json",
     ":8:520: points.figures.bus_bandwidth_gb_s: is 20, but size_bytes / median_us x 1.5 gives "
     "15"},
    {"record-point-twice.json",
     ":10:1: points: kind and parameters are those of the point of line 8"},
    {"record-cut-off.json", ":9:223: the file ends before this \" is closed"},
});

void check_refused(std::span<const BadFile> files) {
  for (const auto& [name, message] : files) {
    const std::string path = std::string("{cases}/") + name;
    tofn::test::check_refused("check '" + path + "'", path + message);
  }
}

}  // namespace

TEST_CASE("a bad value of an accelerator or a cluster is refused") { check_refused(bad_values); }

TEST_CASE("a bad workload, model or plan is refused") { check_refused(bad_workloads_and_plans); }

TEST_CASE("a bad run is refused") { check_refused(bad_runs); }

TEST_CASE("what is no YAML of ours is refused") { check_refused(bad_yaml); }

TEST_CASE("a bad table of published results is refused") { check_refused(bad_tables); }

TEST_CASE("what physics forbids is refused") { check_refused(impossible_machines); }
TEST_CASE("a bad step profile is refused") { check_refused(bad_step_profiles); }

TEST_CASE("a bad record of measurements is refused") { check_refused(bad_records); }

TEST_CASE("several bad files are one line each") {
  const Outcome outcome = run_program(
      filled_in("check '{cases}/empty.yaml' '{cases}/crlf.yaml' '{cases}/bad-number.csv'"));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.output == filled_in("{cases}/crlf.yaml: ok (cluster)\n"));
  CHECK(outcome.errors ==
        filled_in(
            "tofn: {cases}/empty.yaml: is empty\n"
            "tofn: {cases}/bad-number.csv:4:36: time_to_train_min: expected a number above 0, got "
            "'3.2 min'\n"));
}

TEST_CASE("files with CRLF line ends are as good as any") {
  const Outcome outcome = run_program(filled_in("check '{cases}/crlf.yaml' '{cases}/crlf.csv'"));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors.empty());
  CHECK(outcome.output == filled_in("{cases}/crlf.yaml: ok (cluster)\n{cases}/crlf.csv: ok "
                                    "(published table, 2 rows of which 2 resolve)\n"));
}

TEST_CASE("a row whose plan cannot be is left out with its reason") {
  const Outcome outcome =
      run_program(filled_in("check '{cases}/impossible-split.csv' '{cases}/pipeline.csv'"));
  CHECK(outcome.exit_code == 0);
  CHECK(
      outcome.output ==
      filled_in("{cases}/impossible-split.csv: ok (published table, 2 rows of which 1 resolve)\n"
                "  line 4: bert Test/two: tp*pp*cp = 3*1*2 = 6 does not divide 16 accelerators\n"
                "{cases}/pipeline.csv: ok (published table, 2 rows of which 1 resolve)\n"
                "  line 4: bert Test/two: the plan has a pipeline (pp > 1), which predictions from "
                "measured runs do not know; `tofn step` simulates it\n"));
}
