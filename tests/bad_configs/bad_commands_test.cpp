#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn::test;

namespace {

struct BadCommand {
  const char* arguments;
  const char* message;
};

constexpr auto bad_commands = std::to_array<BadCommand>({
    {"predcit bert",
     "unknown command 'predcit', did you mean 'predict'? valid commands: compare, study, predict, "
     "plan, scale, step, sweep, collective, report, explore, list, explain, init, check, "
     "calibrate, "
     "validate, import, watch, repeat, manual"},
    {"explain --goodptu",
     "unknown term 'goodptu', did you mean 'goodput'? `tofn explain` lists the terms"},
    {"explain goodptu",
     "unknown term 'goodptu', did you mean 'goodput'? `tofn explain` lists the terms"},
    {"init", "init needs cluster, model, run or sweep, e.g. `tofn init cluster`"},
    {"init model --accelerator B200", "--accelerator: is of a cluster"},
    {"init cluster --root /nowhere", "--root: '/nowhere' is no folder"},
    {"init run -o my.txt", "--output: my.txt: the name must end in .yaml"},
    {"init sweep --format json", "--format: does not apply: a starter is YAML"},
    {"report nowhere.csv", "nowhere.csv: cannot be read: No such file or directory"},
    {"report '{cases}/header-only.csv'", "{cases}/header-only.csv: has no rows"},
    {"report '{cases}/duplicate-column.csv'",
     "{cases}/duplicate-column.csv:2:65: duplicate column 'system'"},
    {"report '{cases}/merge-key.yaml'",
     "{cases}/merge-key.yaml: is neither JSON nor CSV with two columns at least"},
    {"report '{cases}/report-no-table.json'",
     "{cases}/report-no-table.json: holds no table: expected an array of objects, an object a "
     "line, an answer of tofn, or a trace"},
    {"report '{cases}/report-cut-short.json'",
     "{cases}/report-cut-short.json:3:1: is not JSON here"},
    {"report --format csv", "--format: does not apply: a report is a page of HTML"},
    {"predict llama3-8b dgx-h100 --times accelerator.scale_up.bandwidth=2",
     "--times: accelerator.scale_up.bandwidth changes nothing, since the cluster states its own "
     "links: scale_up.bandwidth"},
    {"compare --workloads gpt3",
     "{configs}/published/mlperf-training-v4.1.csv: benchmark: has no row of what was requested; "
     "it has bert, llama2_70b_lora, retinanet, stable_diffusion"},
    {"watch a.log llama3-8b", "there are more words than the command takes: watch LOG"},
    {"predict llama3-8b dgx-h100 --rl ppo", "--rl: unknown value 'ppo'; valid values: grpo"},
    {"predict --rl grpo", "which model? for example: llama3-8b; `tofn list models` shows all"},
    {"predict llama3-8b --rl grpo",
     "which cluster? for example: dgx-h100; `tofn list clusters` shows all"},
    {"predict llama3-8b dgx-h100 --rl grpo", "--prompts: is needed with --rl, e.g. 64"},
    {"predict llama3-8b dgx-h100 --rl grpo --response-length 5k --max-length 4096 --prompts 4 "
     "--generations 4",
     "--max-length: leaves 3976 tokens beside a prompt of 120: fewer than a mean response of 5120"},
    {"predict llama3-8b dgx-h100 -N 8 --rl grpo --response-length 500 --max-length 4096 --prompts "
     "4 "
     "--generations 4 --generators 8",
     "N = 8: 8 of 8 accelerators generate: none is left to train"},
    {"predict resnet-50 dgx-h100 -N 8 --rl grpo --response-length 500 --max-length 4096 --prompts "
     "4 "
     "--generations 4",
     "model resnet-50: generates no text: only models of texts do"},
    {"predict llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 --response-length 1060 "
     "--max-length 4096 --updates 3",
     "--updates: 3 do not share 2048 responses equally: 2 or 4 would"},
    {"predict llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 --response-length 1060 "
     "--max-length 4096 --updates 5000",
     "--updates: 5000 do not share 2048 responses equally: 2048 would"},
    {"predict llama3-8b dgx-h100 -N 16 --rl grpo --prompts 64 --generations 32 --response-length "
     "1060 --max-length 4096 --engine-tp 3",
     "--engine-tp: 3 does not divide 32 heads of the model; valid sizes: 1, 2, 4, 8, 16, 32"},
    {"predict qwen3-30b-a3b dgx-h100 -N 16 --rl grpo --prompts 64 --generations 32 "
     "--response-length 1060 --max-length 4096 --engine-tp 1 --engine-attention dp",
     "--engine-tp: 1 is too few for dp, which shares out attention and experts; valid sizes: 2, 4, "
     "8, 16, 32, 64, 128"},
    {"predict llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 --response-length 1060 "
     "--max-length 4096 --rl-steps 10.5",
     "--rl-steps: expected a whole number of steps from 1 to a billion, such as 400, got '10.5'"},
    {"plan llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 --response-length 1060 "
     "--max-length 4096 --rl-steps 0",
     "--rl-steps: expected a whole number of steps from 1 to a billion, such as 400, got '0'"},
    {"predict llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 --response-length 1060 "
     "--max-length 4096 --steps-off -1",
     "--steps-off: expected a whole number from 0 to 1000, got '-1'"},
    {"predict llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 --response-length 1060 "
     "--max-length 4096 --steps-off 0.5",
     "--steps-off: expected a whole number from 0 to 1000, got '0.5'"},
    {"step", "model: is needed, e.g. `tofn step llama3-8b dgx-h100 -N 8 --batch 64`"},
    {"step llama3-8b", "cluster: is needed, e.g. `tofn step llama3-8b dgx-h100 -N 8 --batch 64`"},
    {"step llama3-8b dgx-h100 --batch 8 --replica-batch 8",
     "--batch: is needed, or --replica-batch, and only one of them"},
    {"step llama3-8b dgx-h100 --check nowhere.log --explain dgx-b200",
     "--explain: changes nothing with --check"},
    {"step llama3-8b dgx-h100 --batch 8 --collectives nowhere.log",
     "--collectives: changes nothing without --check"},
    {"step llama3-8b --check nowhere.log",
     "nowhere.log: cannot be read: No such file or directory"},
    {"predict dgx-h100 llama3-8b -N 8",
     "dgx-h100 is a cluster: the job comes first, then the cluster"},
    {"predict llama3-8b llama3-8b -N 8",
     "llama3-8b is a model: a cluster is needed here, such as dgx-h100"},
    {"step llama3-8 dgx-h100 --batch 8",
     "unknown job 'llama3-8', did you mean 'llama3-8b', 'llama3-70b' or 'llama3-405b'? All {jobs}: "
     "`tofn list models`, `list runs` and `list workloads`; a config.json, the folder that holds "
     "one or a name of Hugging Face's hub (Qwen/Qwen3-8B) is a model too"},
    {"step llama3-8b dgx-h100 --batch 8 --explain '{cases}/plan-zero-split.yaml'",
     "{cases}/plan-zero-split.yaml:2:18: tensor_parallel: must be at least 1"},
    {"step llama3-8b dgx-h100 --batch 8 --slow-node 0.5",
     "--slow-node: expected a factor from 1 to 1000, got '0.5'"},
    {"step llama3-8b dgx-h100 --batch 8 --slow-link fast",
     "--slow-link: expected a factor from 1 to 1000, got 'fast'"},
    {"step llama3-8b dgx-h100 --batch 8 --slow-stage 1",
     "--slow-stage: needs --slow-node or --slow-link"},
    {"step llama3-8b dgx-h100 --batch 8 --slow-node 2 --slow-stage 2",
     "--slow-stage: there is no stage 2: the plan has 1"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with dgx-a100",
     "--mixed-with: expected a cluster and its nodes such as dgx-a100:4, got 'dgx-a100'"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with dgx-a100:0",
     "--mixed-with: expected a cluster and its nodes such as dgx-a100:4, got 'dgx-a100:0'"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with dgx-a10:1",
     "unknown cluster 'dgx-a10', did you mean 'dgx-a100', 'dgx-h100' or 'dgx-b200'? All "
     "{clusters}: `tofn list clusters`"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with dgx-a100:2",
     "--mixed-with: 2 nodes of dgx-a100 leave none of dgx-h100: the job has 2"},
    {"step llama3-8b gb200-nvl72 -N 256 --batch 256 --accelerators-per-domain 73",
     "accelerators_per_domain: 73 of each, but a scale-up domain of gb200-nvl72 has 72"},
    {"step llama3-8b tpu-v5p -N 256 --batch 256 --accelerators-per-domain 4",
     "accelerators_per_domain: tpu-v5p is a torus, which a job fills without gaps"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with gb200-nvl72:1",
     "--mixed-with: nodes of gb200-nvl72 hold 4 accelerators, those of dgx-h100 hold 8: a job "
     "needs "
     "nodes of one size"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --tp 8 --pp 2 --mixed-with dgx-a100:1",
     "--mixed-with: whole replicas of 16 accelerators in 2 stages do not fill 1 node of dgx-a100; "
     "--other-stages gives stages instead"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --tp 8 --pp 2 --mixed-with dgx-a100:1 "
     "--other-stages 2..3",
     "--other-stages: there is no stage 3: the plan has 2"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with dgx-a100:1 --other-stages 2..1",
     "--other-stages: expected a stage or a range of them such as 3..4, got '2..1'"},
    {"step llama3-8b dgx-h100 --batch 8 --other-stages 1", "--other-stages: needs --mixed-with"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --tp 8 --pp 2 --chunks 1 "
     "--mixed-with dgx-a100:1 --other-stages 2 --other-layers 32",
     "--other-layers: stages 2..2 can hold 1 to 31 of 32 layers, not 32"},
    {"step llama3-8b dgx-h100 -N 16 --batch 16 --mixed-with dgx-a100:1 --other-layers 3",
     "--other-layers: needs --other-stages"},
    {"step llama3-8b dgx-h100 --batch 8 --balance on", "--balance: needs --mixed-with"},
    {"step llama3-8b dgx-h100 --batch 8 --seed x",
     "--seed: expected a whole number of at least 0, got 'x'"},
    {"calibrate a.txt -o a.csv", "--output: a.csv: the name must end in .yaml"},
    {"calibrate a.txt", "--output: calibrate needs the file to write, e.g. `-o my-machine.yaml`"},
    {"calibrate --stacks . --workload bert", "--workload: changes nothing with --stacks"},
    {"step llama3-8b dgx-h100 --batch 8 --observed '8;1.4 s'",
     "--observed: expected ACCELERATORS: TIME or ACCELERATORS,BATCH: TIME, e.g. '8: 1.42 s' or "
     "'8,64: 1.42 s', got '8;1.4 s'"},
    {"step llama3-8b dgx-h100 --batch 8 --observed '8: 1.4 m'",
     "--observed: unknown unit 'm', did you mean 'ms'? valid units: ps, ns, us, ms, s, min, h, d, "
     "w"},
    {"step llama3-8b dgx-h100 --batch 8 --stack megatron --observed '8: 1.4 s'",
     "--observed: changes nothing: the figures of stack megatron are fitted to no table of steps"},
    {"step llama3-8b dgx-h100 --batch 8 --lora-rank 8 --lora-targets q_prj",
     "--lora-targets: unknown product 'q_prj', did you mean 'q_proj'? valid products: linear_qkv, "
     "linear_proj, linear_fc1, linear_fc2, q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, "
     "down_proj"},
    {"predict --from {cases}/launch-of-nanotron.yaml dgx-h100 -N 8",
     "{cases}/launch-of-nanotron.yaml:4:21: tokens.micro_batch_size: files of nanotron are not "
     "read: "
     "those of primus, primus-torchtitan, gpt-neox, torchtitan, torchtitan-registry, maxtext, "
     "fms-fsdp, llm-foundry, accelerate, deepspeed, nemo and megatron-lm are"},
    {"predict --from {cases}/launch-of-nobody.yaml dgx-h100 -N 8",
     "{cases}/launch-of-nobody.yaml: has no key of software whose launch files are read: those of "
     "primus, primus-torchtitan, gpt-neox, torchtitan, torchtitan-registry, maxtext, fms-fsdp, "
     "llm-foundry, accelerate, deepspeed, nemo and megatron-lm are"},
    {"step llama3-8b dgx-h100 --batch 8 --lora-rank 8 --freeze vocabulary",
     "--freeze: changes nothing beside --lora-rank, which freezes all else"},
    {"step llama3-8b dgx-h100 --batch 8 --optimizer addam",
     "--optimizer: unknown value 'addam', did you mean 'adam'? valid values: adamw, adam, "
     "adafactor, sgd, momentum, lamb, lion, muon, adam-8bit"},
    {"calibrate --steps a.log --workload bert --cluster dgx-h100 --pp 2 -o a.yaml",
     "--pp: changes nothing for steps of a workload: --workload, -N, --tp, --cp and --grad-accum "
     "say what ran"},
    {"calibrate --steps a.log --model llama3-8b --workload bert -o a.yaml",
     "--workload: changes nothing for steps of a model: --model, its plan and -N say what ran"},
    {"calibrate --steps a.log --model llama3-8b --cluster dgx-h100 -o a.yaml",
     "--stack: is needed with --model, e.g. `--stack megatron-core`"},
    {"predict llama3-8b dgx-h100 --tokens 1T --observed '8: 1.4 s'",
     "--observed: needs its batch where --batch is not stated, e.g. '8,64: 1.42 s'"},
    {"predict llama3-8b dgx-h100 --tokens 1e30", "--tokens: must be at most 1e+18, got '1e30'"},
    {"predict llama3-8b dgx-h200 -N 16 --tokens 1T --batch 16 --tp 16",
     "N = 16: no plan splits this job: model llama3-8b: tp must divide the key and value heads: 16 "
     "does not divide 8"},
    {"step llama3-8b dgx-h100 --batch 8 --schedule 1f2b",
     "--schedule: unknown value '1f2b', did you mean '1f1b'? valid values: gpipe, 1f1b, "
     "zero-bubble, breadth-first, zb-v, eager-1f1b, v-half, dualpipe-v"},
    {"step --cases nowhere.csv --stack megatorn",
     "--stack: unknown stack 'megatorn', did you mean 'megatron', 'megatron-2021' or "
     "'megatron-2022'? All 20: `tofn list stacks`"},
    {"predict llama3-8b dgx-h100 --stack megatorn",
     "--stack: unknown stack 'megatorn', did you mean 'megatron', 'megatron-2021' or "
     "'megatron-2022'? All 20: `tofn list stacks`"},
    {"step --cases '{cases}/steps-bad-rows.csv' --leave-one-out modle",
     "--leave-one-out: unknown column 'modle', did you mean 'model'? valid columns: model, "
     "accelerator, gpus_per_node, hidden, feed_forward, layers, heads, vocabulary, "
     "sequence_length, gpus, tensor_parallel, pipeline_parallel, data_parallel, "
     "interleaved_stages, global_batch, micro_batch, precision, recompute, sequence_parallel, "
     "zero_stage, cluster"},
    {"collective all-reduce --cluster dgx-h100 --ranks 64 --size 1GB",
     "'all-reduce' is taken as --cluster, which is stated twice: did you mean --collective "
     "all-reduce?"},
    {"collective dgx-a100 --cluster dgx-h100 --ranks 64 --size 1GB",
     "'dgx-a100' is taken as --cluster, which is stated twice: leave one out"},
    {"collective all-gather --ranks 64 --size 1GB",
     "--cluster: 'all-gather' is a collective: state it as --collective all-gather"},
    {"list models qwen3",
     "'qwen3': only `tofn list fields` takes a second word, a kind of file; `tofn list models` "
     "lists all models"},
    {"predict llama3-8b dgx-h100 -N 64 --batch 8 --tokens 1",
     "--tokens: a step takes 65536 tokens, 8 samples of 8192: state as many or more, or a smaller "
     "--batch"},
    {"predict llama3-8b dgx-h100 -N 64 --batch 8 --samples 7",
     "--samples: a step takes 8 samples: state as many or more, or a smaller --batch"},
    {"collective --cluster dgx-h100 --ranks 1 --size 25MiB",
     "--ranks: a collective needs at least 2 ranks"},
    {"collective --cluster dgx-h100 --ranks 8",
     "--size: is needed, e.g. `tofn collective --cluster dgx-h100 --ranks 64 --size 25MiB`"},
    {"collective --cluster hgx-h100-25gbe --ranks 8 --size 25",
     "--size: is 25 B or 25 MB? only numbers from 1000 on are bytes without a unit"},
    {"collective --cluster hgx-h100-25gbe --ranks 8 --size 0",
     "--size: must be more than zero, got '0 B'"},
    {"collective --cluster hgx-h100-25gbe --ranks 8 --size -5",
     "--size: must be more than zero, got '-5 B'"},
    {"collective --cluster dgx-h100 --ranks 8 --size 1MiB --collective allreduce",
     "--collective: unknown value 'allreduce', did you mean 'all-reduce'? valid values: "
     "all-reduce, reduce-scatter, all-gather, broadcast, all-to-all, send-receive"},
    {"validate collectives configs/calibrations --cluster dgx-h100",
     "--cluster: acts with --protocol formula or related alone"},
    {"validate collectives",
     "validate collectives needs a file or a folder of measured collectives"},
    {"validate enrgy",
     "unknown validation 'enrgy', did you mean 'energy'? valid validations: collectives, "
     "detection, energy, published, rl, runs, steps, plans, all"},
    {"validate all a.csv",
     "validate all FILE.csv holds it against another scorecard: give --against"},
    {"validate all --why 'runs: more'", "--why: stands in the file of --update: give one"},
    {"validate all --update a.csv --without b.csv",
     "--without: shows the causes of --why: give one"},
    {"validate all --against a.csv --update b.csv",
     "--update: holds the figures against the file that it writes: give it or --against"},
    {"validate all --update a.csv --why because",
     "--why: expected 'ROW: CAUSE', as in 'steps unknown-stack: ...', got 'because'"},
    {"validate all -o '{cases}/scorecard.csv'",
     "--output: {cases}/scorecard.csv is a scorecard: --update {cases}/scorecard.csv writes it, "
     "and "
     "wants a cause for each figure that is worse"},
    {"validate published --protocol rond",
     "--protocol: unknown protocol 'rond', did you mean 'round'? valid protocols: standing, "
     "submitter, round"},
    {"validate published --against a.csv", "--against: acts with validate all alone"},
    {"plan llama3-8b dgx-h100 --tokens 1T --overrun all",
     "--overrun: unknown value 'all'; valid values: published, none"},
    {"validate detection a.csv", "validate detection takes no table"},
    {"collective --cluster dgx-h100 --ranks 8 --size 1MiB --training llama3-8b",
     "--training: changes nothing for a collective of one size: it is for measured ones "
     "(--check)"},
    {"validate energy a.csv b.csv", "validate energy takes one table"},
    {"validate energy --cluster dgx-h100", "--cluster: acts with validate collectives alone"},
    {"validate energy --protocol formula",
     "--protocol: acts with validate collectives, published, steps or plans alone"},
    {"validate energy nowhere.csv", "nowhere.csv: cannot be read: No such file or directory"},
    {"validate collectives configs/calibrations --protocol halves",
     "--protocol: unknown protocol 'halves'; valid protocols: split, nodes, formula, related"},
    {"predict bert dgx-h100 -N 8 --clster x",
     "unrecognised option '--clster', did you mean '--cluster'?"},
    {"predict brt dgx-h100 -N 8",
     "unknown job 'brt', did you mean 'bert', 'bert-large' or 'bert-large-128'? All {jobs}: `tofn "
     "list models`, "
     "`list runs` and `list workloads`; a config.json, the folder that holds one or a name of "
     "Hugging Face's hub (Qwen/Qwen3-8B) is a model too"},
    {"predict bert dgx-h10 -N 8",
     "unknown cluster 'dgx-h10', did you mean 'dgx-h100', 'dgx-a100' or 'dgx-h200'? All "
     "{clusters}: `tofn list clusters`"},
    {"predict bert dgx-h100 -N 8 --format xml",
     "--format: unknown format 'xml'; valid formats: table, csv, json"},
    {"predict bert dgx-h100 -N 8 -o '{cases}/no-such-folder/x.csv'",
     "{cases}/no-such-folder/x.csv: cannot be written: No such file or directory"},
    {"predict bert dgx-h100 -N eight",
     "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its doublings), "
     "got 'eight'"},
    {"predict bert dgx-h100 -N 0",
     "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its doublings), "
     "got '0'"},
    {"predict llama3-70b dgx-h100 -N 8-64",
     "-N: expected whole numbers from 1 to 1048576 such as 8, 8,64 or 8..64 (8 and its doublings), "
     "got '8-64'"},
    {"predict llama3-70b dgx-h100 --tokens 2TB",
     "--tokens: expected a number above 0 such as 2T, 200B, 4M or 1.4e12, got '2TB'"},
    {"predict llama3-70b dgx-h100 --tokens 2T --samples 4M",
     "--tokens: cannot be stated together with --samples: leave one out"},
    {"predict resnet-50 dgx-h100 --tokens 2T",
     "--tokens: samples of resnet-50 are no texts: use --samples"},
    {"predict resnet-50 dgx-h100", "--batch: is needed: samples of this model are no texts"},
    {"predict bloom-176b-training dgx-a100 --tokens 2T",
     "--tokens: is what run bloom-176b-training says: leave it out"},
    {"predict llama3-70b dgx-h100 --tokens 2T --critical-batch 4M",
     "--critical-batch: expected e.g. '20M tokens' or '512 samples', got '4M'"},
    {"predict llama3-70b dgx-h100 --tokens 2T --critical-batch '3 steps'",
     "--critical-batch: expected e.g. '20M tokens' or '512 samples', got '3 steps'"},
    {"predict bloom-176b-training dgx-a100 -N 64 --table phase",
     "--table: unknown value 'phase', did you mean 'phases'? valid values: points, phases, stages, "
     "passes, spans"},
    {"predict llama3-70b dgx-h100 --evaluate 1k", "--evaluate-every: is needed as well"},
    {"predict llama3-70b dgx-h100 -N 8 --tp 3 --tokens 1T",
     "N = 8: no plan splits this job: tp*pp*cp = 3*1*1 = 3 does not divide 8 accelerators"},
    {"validate runs a.csv b.csv", "validate runs takes one table"},
    {"predict bert dgx-h100 -N 16..8", "-N: the range 16..8 ends below its start"},
    {"predict bert dgx-h100 -N 8 --price -1",
     "--price: expected US dollars above 0 of one accelerator for an hour, e.g. 2.5, '$2.5' or "
     "'2.5 USD/h', got '-1'"},
    {"predict bert dgx-h100 -N 8 --price '2.5 EUR'",
     "--price: expected US dollars above 0 of one accelerator for an hour, e.g. 2.5, '$2.5' or "
     "'2.5 USD/h', got '2.5 EUR'"},
    {"predict bert dgx-h100 -N 8 --price-term spott",
     "--price-term: unknown value 'spott', did you mean 'spot'? valid values: on_demand, "
     "reserved_1y, reserved_3y, spot"},
    {"predict bert dgx-h100 -N 8 --price-term spot",
     "--price-term: no spot price of dgx-h100 is known, only on_demand; state one with --price"},
    {"predict bert dgx-h100 -N 8 --facility-factor 0.9",
     "--facility-factor: expected a factor from 1 to 10, got '0.9'"},
    {"predict bert dgx-h100 -N 8 --preemption-every 24h",
     "--preemption-every: needs --price-term spot"},
    {"predict bert dgx-h100 -N 8 --failure-every 24",
     "--failure-every: a unit is missing: expected a time such as '3.5 us', got '24'"},
    {"predict bert dgx-h100 -N 8 --batch nan",
     "--batch: expected a whole number from 1 to 100000000, got 'nan'"},
    {"predict llama2_70b_lora dgx-h100 -N 12 --tp 4 --cp 2",
     "N = 12: tp*pp*cp = 4*1*2 = 8 does not divide 12 accelerators"},
    {"predict llama31_405b dgx-h100 -N 64",
     "N = 64: workload llama31_405b has a plan whose replicas have 128 accelerators (tp*pp*cp = "
     "8*8*2): take a multiple of 128, state another plan (--tp, --cp, --plan), or ask for its "
     "model llama3-405b"},
    {"predict bert dgx-h100 -N 64 --batch 8",
     "N = 64: global batch 8 leaves less than one sample to each of 64 replicas x 1 accumulation "
     "steps: tp*pp*cp must be at least 8, is 1"},
    {"predict bert dgx-h100 -N 8 --tp 2",
     "N = 8: workload bert does not describe tensor parallelism (tp = 2)"},
    {"predict bert tinybox-red -N 64",
     "N = 64: cluster tinybox-red has no network: 64 ranks do not fit its scale-up domain of 6"},
    {"predict bert dgx-h100 -N 8 --precision fp7",
     "--precision: unknown value 'fp7', did you mean 'fp8'? valid values: fp32, tf32, bf16, fp16, "
     "fp8, fp4"},
    {"predict bert dgx-h100 -N 8 --release soon",
     "--release: expected YY.MM, e.g. 24.09, got 'soon'"},
    {"predict bert --cluster '{cases}/efficiency-above-1.yaml' -N 8",
     "{cases}/efficiency-above-1.yaml:10:25: scale_up.bandwidth_efficiency: must be above 0 and at "
     "most 1"},
    {"predict bert dgx-h100 -N 8 --plan '{cases}/plan-zero-split.yaml'",
     "{cases}/plan-zero-split.yaml:2:18: tensor_parallel: must be at least 1"},
    {"compare --published '{cases}/bad-number.csv'",
     "{cases}/bad-number.csv:4:36: time_to_train_min: expected a number above 0, got '3.2 min'"},
    {"compare --calibrate nothing",
     "--calibrate: unknown rule 'nothing'; valid rules: one-node, other-submitters, "
     "other-rounds, none"},
    {"study --published '{cases}/bad-number.csv'",
     "{cases}/bad-number.csv:4:36: time_to_train_min: expected a number above 0, got '3.2 min'"},
    {"study --published ''", "--published: names no file"},
    {"study --workload brt",
     "unknown workload 'brt', did you mean 'bert'? valid workloads: {workloads}"},
    {"study --workload ,", "--workload: names no workload"},
    {"study --workload flux1",
     "--workload: {configs}/published/mlperf-training-v4.1.csv has no row of flux1; it has rows of "
     "bert, llama2_70b_lora, retinanet, stable_diffusion"},
    {"predict bert dgx-h100 -N 8 -o x.html",
     "--output: 'x.html': only `tofn report` writes pages; .csv and .json say the format of rows, "
     "other names take the text"},
    {"study --clusters 1", "--clusters: expected at least 2 clusters, got '1'"},
    {"study --clusters many", "--clusters: expected a whole number from 1 to 20, got 'many'"},
    {"study --table row",
     "--table: unknown value 'row', did you mean 'rows'? valid values: rows, clusters, claims, "
     "losses"},
    {"study --seed -1", "--seed: expected a whole number of at least 0, got '-1'"},
    {"list --configs '{cases}/no-such-folder'",
     "{cases}/no-such-folder/accelerators: cannot be read: No such file or directory; --configs or "
     "TOFN_CONFIGS says where the configs are"},
    {"calibrate --steps '{cases}/steps-without-accelerators.csv' --workload bert --cluster "
     "dgx-h100 "
     "-o '{cases}/no-such-folder/x.yaml'",
     "{cases}/steps-without-accelerators.csv:2: the log does not say how many accelerators ran: "
     "state --accelerators"},
    {"calibrate --steps '{cases}/steps-without-accelerators.csv' -N 8 --tp 1 --cp 1 --grad-accum 1 "
     "--cluster dgx-h100 -o x.yaml",
     "--steps: also needs, e.g., `--workload bert`"},
    {"calibrate --steps '{cases}/truncated-mllog.log' --cluster dgx-h100 -o x.yaml",
     "{cases}/truncated-mllog.log: MLLOG lines, but none from which a step's time follows: needed "
     "are train_step_time or throughput in tracked_stats, or samples_count at block_start and "
     "block_stop; it breaks off before run_stop: is it truncated?"},
    {"predict '{cases}/run-misspelt-phases.yaml' dgx-h100 -N 8",
     "{cases}/run-misspelt-phases.yaml:6:3: unknown key 'phase', did you mean 'phases'? valid "
     "keys: phases, parts, sample"},
    {"calibrate --steps '{cases}/bad-number.csv' --workload bert --cluster dgx-h100 -o x.yaml",
     "{cases}/bad-number.csv:1:1: holds no steps in any known format: MLPerf's MLLOG; lines a step "
     "of "
     "Megatron-LM, NeMo, nanotron, MaxText, lingua, torchtitan, DeepSpeed's pipeline, DeepSpeed, "
     "modded-nanogpt, nanochat, build-nanogpt, llm.c, nanoGPT, LitGPT, torchtune, NeMo AutoModel, "
     "picotron, fairseq, InternEvo, ms-swift, PaddleNLP, MindFormers, KempnerForge, FMS-FSDP, "
     "Composer, OLMo, JSON or Python dicts with step_time; "
     "the summary of Hugging Face's Trainer (`train_runtime`); a "
     "progress bar (tqdm); a table with the columns batch and step_ms or step_s"},
    {"predict bert dgx-h100 --steps '{cases}/step-profile-no-rows.yaml'",
     "{cases}/step-profile-no-rows.yaml:4:12: step_rows: a step profile needs a row"},
    {"predict bert dgx-h100 -N 8 --batch 64 --replica-batch 8",
     "--replica-batch: says the batch: leave --batch out"},
    {"plan", "model: is needed, e.g. `tofn plan llama3-70b dgx-h100 --tokens 2T --deadline 30d`"},
    {"plan llama3-8b dgx-h100", "--tokens: is needed, or --samples: how much it trains"},
    {"plan llama3-8b dgx-h10 --tokens 2T",
     "unknown cluster 'dgx-h10', did you mean 'dgx-h100', 'dgx-a100' or 'dgx-h200'? All "
     "{clusters}: `tofn list clusters`"},
    {"plan llama3-8b dgx-h100:x --tokens 2T",
     "dgx-h100:x: expected CLUSTER:ACCELERATORS, e.g. dgx-h100:256"},
    {"plan llama3-8b dgx-h100:4 --tokens 2T",
     "dgx-h100:4: has no size of -N 8..1024: nodes of 8 accelerators"},
    {"plan llama3-8b gb200-nvl72 --tokens 2T -N 8..32 --whole domain",
     "gb200-nvl72: has no size of -N 8..32: domains of 72 accelerators"},
    {"plan llama3-8b dgx-h100 --tokens 2T --whole rack",
     "--whole: unknown value 'rack'; valid values: node, domain, leaf"},
    {"plan llama3-8b dgx-h100 --tokens 2T --search most",
     "--search: unknown value 'most'; valid values: usual, all"},
    {"plan llama3-8b dgx-h100 --tokens 2T --memory-margin 5",
     "--memory-margin: expected a share from 0% to below 100%, such as 5% or 0.05, got '5'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --carbon 0",
     "--carbon: expected t CO2e above 0, such as 200 or '200 t', got '0'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --preemption-every 36h",
     "--preemption-every: needs --price-term spot"},
    {"plan llama3-8b dgx-h100 --tokens 2T --price-term on_demand,reserved_1y --preemption-every 9h",
     "--preemption-every: needs --price-term spot"},
    {"plan llama3-8b dgx-h100 --tokens 2T --price-term on_demand,sport",
     "--price-term: unknown value 'sport', did you mean 'spot'? valid values: on_demand, "
     "reserved_1y, reserved_3y, spot"},
    {"plan llama3-8b dgx-h100 --tokens 2T --prices nowhere.yaml",
     "nowhere.yaml: cannot be read: No such file or directory"},
    {"plan llama3-8b dgx-h100 --tokens 2T --prices '{cases}/prices-empty.yaml'",
     "{cases}/prices-empty.yaml:1:1: lists no price: `clusters` or `accelerators` is needed"},
    {"plan llama3-8b dgx-h100 --tokens 2T --price 2 --prices '{cases}/prices-empty.yaml'",
     "--prices: cannot be stated together with --price: leave one out"},
    {"plan llama3-8b dgx-h100 --tokens 2T --prices '{cases}/prices-no-day.yaml'",
     "{cases}/prices-no-day.yaml:3:7: date: expected the day that they are of, such as 2026-11-20, "
     "got 'November'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --prices '{cases}/prices-unknown-cluster.yaml'",
     "{cases}/prices-unknown-cluster.yaml:8:5: clusters.dgx-h10: unknown cluster 'dgx-h10', did "
     "you mean 'dgx-h100', 'dgx-a100' or 'dgx-h200'? All {clusters}: `tofn list clusters`"},
    {"plan llama3-8b dgx-h100 --tokens 2T --prices '{cases}/prices-without-price.yaml'",
     "{cases}/prices-without-price.yaml:8:5: accelerators.H100 SXM: has no price, such as "
     "on_demand: 2.10 USD/h"},
    {"plan llama3-8b dgx-h100 --tokens 2T --prices '{cases}/prices-twice.yaml'",
     "{cases}/prices-twice.yaml:10:5: accelerators.NVIDIA H100 SXM: is listed twice"},
    {"predict llama3-8b dgx-h100 --tokens 2T --prices '{cases}/prices-no-unit.yaml'",
     "{cases}/prices-no-unit.yaml:8:16: clusters.dgx-h100.on_demand: expected a price above 0 such "
     "as '6.88 USD/h', got '2.10'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --by money",
     "--by: unknown objective 'money'; valid objectives: time, cost, energy, "
     "cost-x-time, carbon"},
    {"plan llama3-8b dgx-h100 --tokens 2T --confidence 2",
     "--confidence: expected a share between 0 and 1, such as 0.9 or 90%, got '2'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --confidence 100%",
     "--confidence: expected a share between 0 and 1, such as 0.9 or 90%, got '100%'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --deadline 2months",
     "--deadline: expected a date such as 2027-03-01, or how long the run may take, such as 20d, "
     "'3 weeks' or 500h, got '2months'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --deadline 0d",
     "--deadline: expected a date such as 2027-03-01, or how long the run may take, such as 20d, "
     "'3 weeks' or 500h, got '0d'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --deadline 20",
     "--deadline: expected a date such as 2027-03-01, or how long the run may take, such as 20d, "
     "'3 weeks' or 500h, got '20'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --deadline 2027-02-29",
     "--deadline: expected a date such as 2027-03-01, or how long the run may take, such as 20d, "
     "'3 weeks' or 500h, got '2027-02-29'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --budget '5 EUR'",
     "--budget: expected US dollars above 0, such as 500k, '$2M' or '1.5M USD', got '5 EUR'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --budget -5",
     "--budget: expected US dollars above 0, such as 500k, '$2M' or '1.5M USD', got '-5'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --energy 0",
     "--energy: expected kWh above 0, such as 500k, 2M or '2 GWh', got '0'"},
    {"plan llama3-8b dgx-h100 --tokens 2T --carbon '5 kg'",
     "--carbon: expected t CO2e above 0, such as 200 or '200 t', got '5 kg'"},
    {"sweep llama3-70b-plans --overrun none",
     "--overrun: changes nothing: this sweep has no whole runs of a model (tokens)"},
    {"plan llama3-8b dgx-h100 --tokens 2T --save-plan /no/such/folder/plan.yaml",
     "/no/such/folder/plan.yaml: cannot be written: No such file or directory"},
    {"scale",
     "which job? for example: tofn scale bert dgx-h100; `tofn list workloads` and `tofn list "
     "models` show all"},
    {"scale bert", "which cluster? for example: dgx-h100; `tofn list clusters` shows all"},
    {"scale brt dgx-h100",
     "unknown job 'brt', did you mean 'bert', 'bert-large' or 'bert-large-128'? All {jobs}: `tofn "
     "list models`, "
     "`list runs` and `list workloads`; a config.json, the folder that holds one or a name of "
     "Hugging Face's hub (Qwen/Qwen3-8B) is a model too"},
    {"scale resnet-50 dgx-h100", "--batch: is needed: samples of this model are no texts"},
    {"scale llama3-8b dgx-h100 --batch-tokens 4194304 --replica-batch 8",
     "--replica-batch: says the batch: leave the other out"},
    {"predict bert dgx-h100 -N 64 --tokens 2T",
     "--tokens: changes nothing for a workload: its steps are those of observed runs or of its "
     "own plan, and its target says when it ends; ask for its model instead"},
    {"predict llama3-8b dgx-h100 --tokens 1T --release 24.04",
     "--release: changes nothing for a model by its dimensions: its steps follow from its "
     "dimensions and a stack (--stack)"},
    {"plan bert dgx-h100 --deadline 1d",
     "bert is a workload: its plan and batch are those of its benchmark's runs; `tofn scale bert "
     "CLUSTER` gives time, energy and cost of each size"},
    {"scale bert dgx-h100 --tokens 2T",
     "--tokens: changes nothing for a workload: its steps are those of observed runs or of its "
     "own plan, and its target says when it ends; ask for its model instead"},
    {"scale bert dgx-h100 --batch 64 --replica-batch 8",
     "--replica-batch: says the batch: leave --batch out"},
    {"scale bert dgx-h100 -N 7 --batch 64",
     "N = 7: batch 64 does not split evenly over 7 replicas x 1 accumulation step; 63 and 70 do"},
    {"scale bert dgx-h100 --gain much", "--gain: expected a number from 0 to 100, got 'much'"},
    {"scale bert dgx-h100 --cost-weight -1",
     "--cost-weight: expected a number from 0 to 100, got '-1'"},
    {"scale bert dgx-h100 --table knee",
     "--table: unknown value 'knee', did you mean 'knees'? valid values: points, laws, knees, "
     "left-out"},
    {"scale --series '{cases}/series-size-twice.csv'",
     "{cases}/series-size-twice.csv:4:1: accelerators: 8 stands on line 2 already"},
    {"scale --series '{cases}/series-one-point.csv'",
     "{cases}/series-one-point.csv: accelerators: a series needs at least two sizes, this one has "
     "1"},
    {"scale --series '{cases}/series-no-number.csv'",
     "{cases}/series-no-number.csv:3:4: minutes: expected a number above 0, got '-'"},
    {"scale bert --series '{cases}/series-one-point.csv'",
     "--series: holds the times: leave the job out"},
    {"scale bert --accelerator H900",
     "{configs}/published/mlperf-training-v4.1.csv: accelerators: has no size of bert on H900, a "
     "series needs at least two sizes"},
    {"scale --quotes '{cases}/no-such-folder'",
     "{cases}/no-such-folder: is no .yaml file, nor a folder of them"},
    {"scale bert dgx-h100 --pp 2",
     "--pp: changes nothing for a workload: its steps are those of observed runs or of its "
     "own plan, and its target says when it ends; ask for its model instead"},
    {"scale bert dgx-h100 --stack megatron",
     "--stack: changes nothing for a workload: its steps are those of observed runs or of its "
     "own plan, and its target says when it ends; ask for its model instead"},
    {"scale bert dgx-h100 --published x.csv",
     "--published: changes nothing for a workload: its steps are those of observed runs or of its "
     "own plan, and its target says when it ends; ask for its model instead"},
    {"scale llama3-8b dgx-h100 --batch 64 --release 24.09",
     "--release: changes nothing for a model by its dimensions: its steps follow from its "
     "dimensions and a stack (--stack)"},
    {"predict llama3-8b dgx-h100 --deadline 3d",
     "--deadline: is of a whole run: say what it trains (--tokens or --samples)"},
    {"step bert dgx-h100 --budget 3M", "--budget: is of a whole run: ask `tofn predict`"},
    {"step llama3-8b dgx-h100 --deadline 30d", "--deadline: is of a whole run: ask `tofn predict`"},
    {"step llama3-8b dgx-h100 --tokens 1T", "--tokens: is of a whole run: ask `tofn predict`"},
    {"predict llama3-8b dgx-h100 --tokens 1T --deadline 3",
     "--deadline: expected a date such as 2027-03-01, or how long the run may take, such as "
     "20d, '3 weeks' or 500h, got '3'"},
    {"predict llama3-8b dgx-h100 --tokens 1T --grid 0",
     "--grid: expected g CO2e of a kWh, a number above 0 and at most 10000 such as 480, without a "
     "unit, got '0'"},
    {"predict bert dgx-h100 --grid '480 g'",
     "--grid: expected g CO2e of a kWh, a number above 0 and at most 10000 such as 480, without a "
     "unit, got '480 g'"},
    {"predict bert dgx-h100 --grid 480G",
     "--grid: expected g CO2e of a kWh, a number above 0 and at most 10000 such as 480, without a "
     "unit, got '480G'"},
    {"predict bert dgx-h100 --table phases", "--table: a workload has no phases"},
    {"predict bert dgx-h100 -N 8,16 --table passes",
     "--table: of a step is of one number of accelerators (-N)"},
    {"scale bert --accelerator H100 -N 64", "--accelerators: changes nothing for published times"},
    {"scale --series '{cases}/series-one-point.csv' --batch 64",
     "--batch: changes nothing for a series of times"},
    {"scale --quotes --gain 20", "--gain: changes nothing for quoted examples"},
    {"scale bert --quotes", "--quotes: name their jobs themselves: leave the job out"},
    {"import",
     "import needs a folder, e.g. `tofn import mlperf training_results_v5.0 -o v5.0.csv`"},
    {"import mlperg .",
     "from: unknown source 'mlperg', did you mean 'mlperf'? valid sources: mlperf"},
    {"import mlperf '{cases}'",
     "{cases}: holds no SUBMITTER/results/SYSTEM/BENCHMARK/result_*.txt of MLPerf Training"},
    {"watch", "watch needs a log, e.g. `tofn watch train.log`"},
    {"watch '{cases}/../../fuzz/corpus/nccl_inspector/layout.jsonl' --predicted 1s",
     "--predicted: changes nothing: {cases}/../../fuzz/corpus/nccl_inspector/layout.jsonl has "
     "collectives, no steps"},
    {"watch '{cases}/../../fuzz/corpus/nccl_inspector/layout.jsonl' --once --every 5m",
     "--every: changes nothing with --once"},
    {"collective dgx-h100 -N 64 --emit nccl-tuner --format json",
     "--format: changes nothing with --emit: the file is as NCCL's plugin reads it"},
    {"watch a.log --once --metrics 70000",
     "--metrics: expected a whole number from 1 to 65535, got '70000'"},
    {"watch a.log --once --metrics a.txt",
     "--metrics: needs a port, or a file whose name ends in .prom, as node_exporter's textfile "
     "collector reads it; got 'a.txt'"},
    {"watch a.log --once --metrics 9464",
     "--metrics: a port is served while a log is followed: name a file here"},
    {"watch '{cases}/truncated-mllog.log' --once --cluster dgx-h100",
     "--cluster: changes nothing: {cases}/truncated-mllog.log has steps, no collectives"},
    {"collective dgx-h100 -N 64 --emit nccl",
     "--emit: unknown value 'nccl', did you mean 'nccl-tuner'? valid values: nccl-tuner"},
    {"collective dgx-h100 -N 64 --emit nccl-tuner --collective all-to-all",
     "--collective: NCCL has no choice of algorithm for all-to-all, which --emit nccl-tuner needs: "
     "expected all-reduce, all-gather, reduce-scatter or broadcast"},
    {"collective dgx-h100 --emit nccl-tuner",
     "--ranks: is needed, e.g. `tofn collective dgx-h100 -N 64 --emit nccl-tuner`"},
    {"collective dgx-h100 -N 64 --size 1GiB --emit nccl-tuner",
     "--size: changes nothing with --emit"},
    {"collective abci-a-mpi -N 64 --emit nccl-tuner",
     "--emit: nccl-tuner is for clusters that run NCCL, which abci-a-mpi does not"},
    {"predict llama3-8b dgx-h100 -N 8 --tokens 1T --checkpoint-mode async",
     "N = 8: --checkpoint-mode: needs --checkpoint-storage or --checkpoint-node-bandwidth"},
    {"predict llama3-8b dgx-h100 --tokens 1T --checkpoint-storage 1GB/s --checkpoint-cost 5s",
     "--checkpoint-cost: is what the storage's bandwidth says: state one of them"},
    {"predict bert dgx-h100 --checkpoint-storage 1GB/s",
     "--checkpoint-storage: changes nothing for a workload: its steps are those of observed runs "
     "or of its own plan, and its target says when it ends; ask for its model instead"},
    {"check", "check needs a file, e.g. `tofn check my-cluster.yaml`"},
});

}  // namespace

TEST_CASE("a bad command line is refused") {
  for (const auto& [arguments, message] : bad_commands) check_refused(arguments, message);
}

TEST_CASE("a bad row of a table of steps is one line, and the others are predicted") {
  const Outcome outcome =
      run_program(filled_in("step --format csv --cases '{cases}/steps-bad-rows.csv'"));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.errors ==
        filled_in("tofn: {cases}/steps-bad-rows.csv:4: row has 8 cells, the header has 9\n"
                  "tofn: {cases}/steps-bad-rows.csv:5:29: heads: 15 heads do not divide a hidden "
                  "size of 1024\n"
                  "tofn: {cases}/steps-bad-rows.csv:6:1: 8 stages x 1 chunks are too many for 4 "
                  "layers: some would hold nothing\n"));
  CHECK(std::count(outcome.output.begin(), outcome.output.end(), '\n') == 2);
  CHECK_THAT(outcome.output, ContainsText("\ngood,A100-SXM-80GB,8,1024,4096,24,16,51200,2048,8,"));
}

TEST_CASE("no command at all shows the usage") {
  const Outcome outcome = run_program("");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.output.empty());
  CHECK_THAT(outcome.errors, ContainsText("usage: tofn COMMAND [OPTIONS]"));
}

TEST_CASE("rows that stand for no run stay in sight whatever is filtered") {
  for (const auto& [filter, exit_code] :
       {std::pair{"--accelerators H200", 2}, {"--workloads bert", 0}}) {
    const Outcome outcome = run_program(
        filled_in(std::string("compare --published '{cases}/unknown-accelerator.csv' ") + filter));
    CHECK(outcome.exit_code == exit_code);
    CHECK_THAT(outcome.output, ContainsText("unknown accelerator 'Abacus 3000'"));
  }
}

TEST_CASE("a comparison of which every row was left out has an exit code of its own") {
  const std::string table = "compare --published '{cases}/unknown-accelerator.csv'";
  const TemporaryFile unknown("unknown.csv",
                              "org,system,benchmark,accelerator,accelerators,global_batch_size\n"
                              "Test,one,bert,Abacus 3000,8,768\n");
  const std::string name = unknown.path().string();
  const Outcome none = run_program("compare --published '" + name + "'");
  CHECK(none.exit_code == 2);
  CHECK(none.errors == "tofn: " + name + ": each row was left out: there is nothing to compare\n");
  CHECK_THAT(none.output, ContainsText("unknown accelerator 'Abacus 3000'"));
  const Outcome other = run_program(filled_in(table + " --workloads retinanet"));
  CHECK(other.exit_code == 2);
  CHECK(other.errors == filled_in("tofn: {cases}/unknown-accelerator.csv: benchmark: has no row of "
                                  "what was requested; it has bert\n"));
  CHECK(run_program(filled_in(table)).exit_code == 0);
}

TEST_CASE("a log is watched from before its first step on") {
  const TemporaryFile log("watched.log", "");
  const std::string name = log.path().string();
  const Outcome once = run_program("watch '" + name + "' --once");
  CHECK(once.exit_code == 2);
  CHECK(once.errors == "tofn: " + name + ": step: no step has a time yet: the file is empty\n");
  const std::string step = "step: %d  loss: 3.4  tps: 6,785  mfu: 39.73%%\\n";
  const Outcome outcome = run_command(
      "sh -c '(sleep 0.5; echo \"Training starts\" >> \"$0\"; sleep 0.5; "
      "printf \"" +
      step +
      "\" 1 2 3 >> \"$0\") & "
      "timeout -s INT 20 \"$1\" watch \"$0\" --every 0.1s --iterations 3 "
      "--accelerators 8 --batch 8 --sequence-length 4096' '" +
      name + "' '" TOFN_BINARY "'");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors == "tofn: " + name +
                              ": step: no step has a time yet: the file is empty; waiting for "
                              "steps, Ctrl-C ends it\n");
  CHECK(outcome.output.starts_with("iteration 3 of 3 (100.0 %): "));
}

TEST_CASE("weights that cannot fit are said") {
  const Outcome outcome = run_program("predict llama2_70b_lora tinybox-green -N 1 --tp 1");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsText("69 GB of weights do not fit 24 GB"));
}

TEST_CASE("no output takes the place of an input") {
  const TemporaryFile file("table.csv", "a,b\n1,2\n3,4\n");
  const std::string name = file.path().string();
  const std::string same = file.path().parent_path() / "." / file.path().filename();
  for (const auto& [arguments, option, input] : std::vector<std::array<std::string, 3>>{
           {"report '" + name + "' -o '" + same + "'", "output", "files"},
           {"compare --published '" + name + "' -o '" + same + "'", "output", "published"},
           {"check '" + name + "' -o '" + same + "'", "output", "file"},
           {"step llama3-8b '" + name + "' --batch 8 --trace '" + same + "'", "trace", "cluster"},
           {"plan llama3-8b --plan '" + name + "' --save-plan '" + same + "'", "save-plan", "plan"},
       })
    check_refused(arguments, "--" + option + ": " + same + " is what --" + input +
                                 " reads: name another file");
  CHECK(std::filesystem::file_size(file.path()) == 12);
}
