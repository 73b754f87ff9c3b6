#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/formats/launchers/megatron_model.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "tests/catch.hpp"
#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string toml =
    "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[training]\nlocal_batch_size = 4\n"
    "seq_len = 8192\nsteps = 7\n[parallelism]\ntensor_parallel_degree = 2\n"
    "[activation_checkpoint]\nmode = \"full\"\n";

}  // namespace

TEST_CASE("torchtitan's TOML gives the plan, on as many accelerators as are asked for") {
  const LaunchReading read = reading(toml, "a.toml", 16);
  CHECK(read.training.model == "llama3-8b");
  CHECK(read.training.sequence_length == 8192);
  CHECK(read.training.steps == 7);
  CHECK(read.training.plan.tensor_parallel_size == 2);
  CHECK(read.training.plan.data_parallel_size == 8);
  CHECK(read.training.plan.micro_batch == 4);
  CHECK(read.training.plan.sequence_parallel);
  CHECK(read.training.plan.sharded == Sharded::Parameters);
  CHECK(read.training.plan.recompute == Recompute::Full);
  CHECK(read.training.plan.precision == Precision::Bf16);
  CHECK(read.not_understood.empty());
  CHECK(refusal([] { reading(toml, "a.toml"); }) ==
        "a.toml: parallelism.data_parallel_shard_degree: the file does not say on how many "
        "accelerators: -N");
  CHECK(refusal([] { reading(toml, "a.toml", 15); }) ==
        "a.toml:9:26: parallelism.tensor_parallel_degree: 2 ranks of one replica do not divide 15 "
        "accelerators");
}

TEST_CASE("torchtitan's pipelines, batches and shards") {
  const Plan staged = plan(
      "[training]\nlocal_batch_size = 8\nglobal_batch_size = 32\n[parallelism]\n"
      "pipeline_parallel_degree = 4\npipeline_parallel_schedule = \"Interleaved1F1B\"\n"
      "pipeline_parallel_microbatch_size = 2\n[activation_checkpoint]\nmode = \"none\"\n"
      "[model]\nflavor = \"x\"\n",
      "a.toml", 8);
  CHECK(staged.chunks_per_stage == 2);
  CHECK(staged.micro_batch == 2);
  CHECK(staged.gradient_accumulation == 8);  // 8 / 2 for each of 32 / (8 x 2) steps
  CHECK(staged.sharded == Sharded::Optimizer);
  CHECK_FALSE(plan(toml, "a.toml", 16).shards_in_domain);
  const std::string replicated =
      "[model]\nflavor = \"8B\"\n[parallelism]\ndata_parallel_replicate_degree = 2\n"
      "[activation_checkpoint]\nmode = \"none\"\n";
  CHECK(plan(replicated, "a.toml", 16).shards_in_domain);
  CHECK_FALSE(plan(replicated, "a.toml", 16).shard_ranks);
  CHECK(plan(replicated, "a.toml", 32).shard_ranks == 16);
  CHECK_FALSE(plan(replicated, "a.toml", 32).shards_in_domain);
  const std::string of_context =
      "[model]\nflavor = \"8B\"\n[parallelism]\ndata_parallel_replicate_degree = 2\n"
      "context_parallel_degree = 2\n[activation_checkpoint]\nmode = \"none\"\n";
  CHECK(plan(of_context, "a.toml", 64).shard_ranks == 32);  // 16 replicas of two ranks each
  CHECK(refusal([] { plan("[model]\nflavor = \"8B\"\n", "a.toml", 8); }) ==
        "a.toml: activation_checkpoint.selective_ac_option: recomputation of every 2 layers is not "
        "expressed: 'op' is");
}

TEST_CASE("torchtitan's degrees give the accelerators where none is left open") {
  const auto degrees = [](const std::string& more) {
    return "[model]\nflavor = \"8B\"\n[parallelism]\ntensor_parallel_degree = 2\n"
           "context_parallel_degree = 2\ndata_parallel_replicate_degree = 3\n" +
           more + "[activation_checkpoint]\nmode = \"none\"\n";
  };
  CHECK(plan(degrees("data_parallel_shard_degree = 4\n"), "a.toml").accelerators() ==
        3 * 4 * 2 * 2);
  CHECK_THAT(refusal([&] { plan(degrees(""), "a.toml"); }),
             ContainsText("does not say on how many accelerators"));
}

TEST_CASE("torchtitan compiles where the file says so, and layers only where it names them") {
  const auto compile_of = [](const std::string& section) {
    const LaunchReading read = reading(toml + section, "a.toml", 16);
    const LaunchWriting written =
        write_training(read.training, launcher_named(configs, "torchtitan"));
    CHECK(std::count(written.left_out.begin(), written.left_out.end(), "compile") == 0);
    return read.training.plan.compile;
  };
  CHECK(compile_of("") == Compile::Off);
  CHECK(compile_of("[compile]\nenable = true\n") == Compile::On);
  CHECK(compile_of("[compile]\nenable = true\ncomponents = [\"loss\"]\n") == Compile::Off);
  CHECK(compile_of("[compile]\nenable = true\ncomponents = [\"model\", \"loss\"]\n") ==
        Compile::On);
}

TEST_CASE("torchtitan's experts are reached by the backend that the file names, both ways") {
  const LaunchReading read = reading(
      "[model]\nflavor = \"x\"\n[parallelism]\nexpert_parallel_degree = 4\n"
      "expert_parallel_comm_backend = \"deepep\"\n[activation_checkpoint]\nmode = \"none\"\n",
      "a.toml", 16);
  CHECK(read.training.plan.expert_dispatch == ExpertDispatch::DeepEp);
  CHECK_THAT(write_training(read.training, launcher_named(configs, "torchtitan")).text,
             ContainsText("expert_parallel_comm_backend = \"deepep\""));
}

TEST_CASE("a key that nobody knows is listed, one of no meaning is not") {
  const LaunchReading read =
      reading(toml + "[job]\ndescription = \"x\"\n[novel]\nkey = 3\n", "a.toml", 2);
  REQUIRE(read.not_understood.size() == 1);
  CHECK(read.not_understood[0].key == "novel.key");
  CHECK(to_text(read.not_understood[0].place) == "a.toml:15:7");
  const std::string python =
      "srun python -u -m torchtitan.train --training.local_batch_size 2 "
      "--activation_checkpoint.mode full\n";
  CHECK(reading(python, "a.sh", 8).not_understood.empty());
}

TEST_CASE("a launcher says how many accelerators, where none are asked for") {
  const std::string script =
      "torchrun --nnodes 4 --nproc_per_node 8 -m torchtitan.train --training.local_batch_size=2 "
      "--activation_checkpoint.mode=full\n";
  CHECK(plan(script, "a.sh").data_parallel_size == 32);
  CHECK(plan(script, "a.sh", 64).data_parallel_size == 64);
  const LaunchFile file = read_launch_text(script, "a.sh");
  CHECK(read_training(file, *launcher_of(configs, file), {64}).other_size == 32);
  CHECK_FALSE(read_training(file, *launcher_of(configs, file), {32}).other_size);
  CHECK(
      refusal([] {
        plan(
            "torchrun --nproc_per_node 8 -m torchtitan.train --parallelism.tensor_parallel_degree "
            "$TP\n",
            "a.sh");
      }) ==
      "a.sh:1:86: parallelism.tensor_parallel_degree: '$TP' is not known (TP is not set here): "
      "state it");
}

TEST_CASE("steps that a variable leaves open are asked for, unless the caller says the length") {
  const auto steps = [](const std::string& flags, bool states_length) {
    const LaunchFile file = read_launch_text(
        "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 64 "
        "--num-attention-heads 4 --seq-length 64 --micro-batch-size 1 " +
            flags + "\n",
        "a.sh");
    return read_training(file, *launcher_of(configs, file), {.states_length = states_length})
        .training.steps;
  };
  CHECK_THAT(refusal([&] { steps("--train-iters $ITERS", false); }),
             ContainsText(": train-iters: '$ITERS' is not known (ITERS is not set here): state it, "
                          "or give --tokens or --samples"));
  CHECK_FALSE(steps("--train-iters $ITERS", true));
  CHECK(steps("--train-iters 10", true) == 10);
  CHECK_THAT(refusal([&] { steps("--global-batch-size $BATCH", true); }),
             ContainsText("global-batch-size: '$BATCH' is not known (BATCH is not set here): "
                          "state it"));
}

TEST_CASE("nodes are those of the file, else those of the cluster") {
  const auto is_hybrid = [](const std::string& launcher, int cluster) {
    const LaunchFile file = read_launch_text(launcher +
                                                 " --parallelism.data_parallel_replicate_degree=2 "
                                                 "--parallelism.data_parallel_shard_degree=4 "
                                                 "--activation_checkpoint.mode=full\n",
                                             "a.sh");
    return read_training(file, *launcher_of(configs, file),
                         {.accelerators = 8, .accelerators_per_node = cluster})
        .training.plan.shards_in_domain;
  };
  CHECK(is_hybrid("torchrun -m torchtitan.train", 4));
  CHECK(is_hybrid("torchrun --nnodes 2 --nproc_per_node 4 -m torchtitan.train", 8));
  CHECK_FALSE(is_hybrid("torchrun -m torchtitan.train", 8));  // half of a node: `shard_ranks`
}

TEST_CASE("torchtitan's registry counts batches in tokens") {
  const std::string registry =
      "def recipe():\n    return Trainer.Config(\n        "
      "hf_assets_path=\"./assets/hf/Llama-3.1-8B\",\n"
      "        model_spec=registry(\"8B\"),\n"
      "        training=TrainingConfig(num_tokens_per_microbatch_per_dp_rank=2 * 4096,\n"
      "            num_tokens_per_train_step=65536, max_context_length=4096),\n"
      "        activation_checkpoint=SelectiveAC.Config())\n";
  const LaunchReading read = reading(registry, "r.py:recipe", 4);
  CHECK(read.training.model == "llama3-8b");
  CHECK(read.training.plan.micro_batch == 2);
  CHECK(read.training.plan.gradient_accumulation == 2);
  CHECK(read.training.plan.recompute == Recompute::Selective);
  CHECK_FALSE(read.training.plan.whole_experts);
  std::string experts = registry;
  experts.replace(experts.find("activation_checkpoint"), 0,
                  "parallelism=ParallelismConfig(tensor_parallel_degree=2, "
                  "expert_parallel_degree=2),\n        ");
  CHECK(plan(experts, "r.py:recipe", 4).expert_parallel_size == 2);
  CHECK(plan(experts, "r.py:recipe", 4).whole_experts);
  std::string tensor = experts;
  tensor.replace(tensor.find(", expert_parallel_degree=2"), 26, "");
  CHECK(plan(tensor, "r.py:recipe", 4).tensor_parallel_size == 2);
  CHECK_FALSE(plan(tensor, "r.py:recipe", 4).whole_experts);
  CHECK(refusal([&] {
          write_training(read.training, launcher_named(configs, "torchtitan-registry"));
        }) == "torchtitan-registry: its files are read, not written");
}

TEST_CASE("Megatron-LM's flags give the model and the plan") {
  const std::string flags =
      "--num-layers 4 --hidden-size 1024 --num-attention-heads 16 --seq-length 2048 --swiglu "
      "--disable-bias-linear --normalization RMSNorm --position-embedding-type rope "
      "--group-query-attention --num-query-groups 4 --ffn-hidden-size 4096 --vocab-size 1000 "
      "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --micro-batch-size 2 "
      "--num-layers-per-virtual-pipeline-stage 1 --global-batch-size 32 --bf16 --lr 0.1 "
      "--fp8-format hybrid --use-distributed-optimizer --train-samples 3200 --novel 3";
  const std::string start = "torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py ";
  const LaunchReading read = reading(start + flags + "\n", "a.sh");
  CHECK(read.training.plan.data_parallel_size == 4);
  CHECK(read.training.plan.gradient_accumulation == 4);
  CHECK(read.training.plan.chunks_per_stage == 2);
  CHECK(read.training.plan.send_overlap);
  CHECK(read.training.plan.precision == Precision::Fp8);
  CHECK(read.training.plan.sharded == Sharded::Optimizer);
  CHECK_FALSE(read.training.plan.data_overlap);
  CHECK(read.training.steps == 100);
  // Tied embeddings of 1000 entries, padded to 4 x 256; attention, three products and two norms in
  // each layer; one more norm.
  CHECK(parameters(*read.training.own_model) ==
        1024 * 1024 + 4 * (1024 * 1024 * 2.5 + 3.0 * 1024 * 4096 + 2 * 1024) + 1024);
  REQUIRE(read.not_understood.size() == 1);
  CHECK(read.not_understood[0].key == "novel");
  const std::string mixture = " --num-experts 8 --moe-layer-freq '[0]*1+[1]*3'\n";
  CHECK(reading(start + flags + mixture, "a.sh").training.own_model->parts.size() == 3);
  const auto dense_of = [&](const std::string& frequency) {
    const Model model =
        *reading(start + flags + " --num-experts 8 --moe-layer-freq '" + frequency + "'\n", "a.sh")
             .training.own_model;
    const auto& first = std::get<TransformerLayers>(model.parts[1].shape);
    return first.experts > 1 ? 0 : first.count;
  };
  for (const char* none : {"1", "([1]*4)", "[1]*4", "[1,1]*2"}) CHECK(dense_of(none) == 0);
  for (const char* one : {"([0]+[1]*3)", "([0]*1+[1]*3)", "[0,1,1,1]"}) CHECK(dense_of(one) == 1);
  CHECK(dense_of("[0]*2 + [1, 1]") == 2);
  for (const char* other :
       {"2", "([1,0]*2)", "[0]*1+[1]*2", "[1]*3+[0]", "[1]*x", "[1]*4.5", "half"})
    CHECK_THAT(refusal([&] { dense_of(other); }),
               ContainsText("is not expressed: 1, or a list of 4 layers such as ([0]*1+[1]*3)"));
  CHECK(refusal([&] {
          reading(start + flags + " --recompute-granularity half\n", "a.sh");
        }).find("recompute-granularity: 'half'") != std::string::npos);
  CHECK(refusal([&] {
          reading(start + flags + " --num-attention-heads 30\n", "a.sh");
        }).find("30 do not divide a hidden size of 1024") != std::string::npos);
  const auto refused = [&](const std::string& more) {
    return refusal([&] { reading(start + flags + more + "\n", "a.sh"); });
  };
  CHECK_THAT(refused(" --global-batch-size -32"),
             ContainsText("global-batch-size: must be at least 1, is -32"));
  CHECK_THAT(refused(" --global-batch-size 0"), ContainsText("must be at least 1, is 0"));
  CHECK_THAT(refused(" --train-samples -5"), ContainsText("must be at least 1, is -5"));
  CHECK_THAT(refused(" --train-iters 100"),
             ContainsText("train-samples: stands beside train-iters"));
}

namespace {

const std::string pipeline_of_four =
    "torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py --num-layers 10 --hidden-size 1024 "
    "--num-attention-heads 16 --seq-length 2048 --vocab-size 1024 --micro-batch-size 1 "
    "--global-batch-size 64 --bf16 --pipeline-model-parallel-size 4 ";

}  // namespace

TEST_CASE("Megatron-LM's layout says which layers each virtual stage holds") {
  const auto counts = [](const std::string& flags) {
    const Plan& plan = reading(pipeline_of_four + flags + "\n", "a.sh").training.plan;
    return std::pair(plan.chunks_per_stage, plan.stage_layers.counts);
  };
  const std::string layout = "--pipeline-model-parallel-layout ";
  CHECK(counts(layout + "'Ett|ttt|t*3|t,t,L'") == std::pair(1, std::vector{2, 3, 3, 2}));
  CHECK(counts(layout + "'E|(tt|)*2t|t|(t|)*2t*2,L'") ==
        std::pair(2, std::vector{0, 2, 2, 1, 1, 1, 1, 2}));
  // The first and last stage have two layers, which leaves three for each of the others.
  CHECK(counts("--decoder-first-pipeline-num-layers 2 --decoder-last-pipeline-num-layers 2") ==
        std::pair(1, std::vector{2, 3, 3, 2}));
  // Ten layers and both ends make three for each stage; the end stages have two layers.
  const std::string embedding = "--account-for-embedding-in-pipeline-split ";
  const std::string loss = "--account-for-loss-in-pipeline-split ";
  CHECK(counts(embedding + loss) == std::pair(1, std::vector{2, 3, 3, 2}));
  CHECK(counts(embedding + loss + "--num-layers-per-virtual-pipeline-stage 1") ==
        std::pair(3, std::vector{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0}));
  CHECK(counts(embedding + "--num-layers 11") == std::pair(1, std::vector{2, 3, 3, 3}));
  CHECK(counts(loss + "--num-layers 11") == std::pair(1, std::vector{3, 3, 3, 2}));
}

TEST_CASE("a split that Megatron-LM does not start is refused") {
  const auto refused = [](const std::string& flags) {
    return refusal([&] { reading(pipeline_of_four + flags + "\n", "a.sh"); });
  };
  const std::string layout = "--pipeline-model-parallel-layout ";
  CHECK_THAT(refused(""), ContainsText("pipeline-model-parallel-size: 10 layers are no multiple of "
                                       "4 stages x 1 chunks: state "
                                       "--pipeline-model-parallel-layout"));
  CHECK_THAT(refused("--num-virtual-stages-per-pipeline-rank 2"),
             ContainsText("num-virtual-stages-per-pipeline-rank: 10 layers are no multiple of 4 "
                          "stages x 2 chunks"));
  for (const char* wrong :
       {"'t|t|t|tL'", "'Et|Et|t|tL'", "'Et|t|t|t'", "'Et|tL|t|t'", "'tE|t|t|tL'"})
    CHECK_THAT(refused(layout + wrong),
               ContainsText("must begin with its one E and end with its one L"));
  const std::string first = "--decoder-first-pipeline-num-layers ";
  const std::string last = " --decoder-last-pipeline-num-layers ";
  const std::string loss = " --account-for-loss-in-pipeline-split";
  CHECK_THAT(refused(first + "1" + loss), ContainsText("account-for-loss-in-pipeline-split: is not "
                                                       "taken beside --decoder-first"));
  CHECK_THAT(refused(layout + "'Ett|ttt|ttt|ttL'" + loss),
             ContainsText("is not taken beside --pipeline-model-parallel-layout"));
  CHECK_THAT(refused("--num-virtual-stages-per-pipeline-rank 2 "
                     "--num-layers-per-virtual-pipeline-stage 1"),
             ContainsText("is not taken beside --num-virtual-stages-per-pipeline-rank"));
  CHECK_THAT(
      refused(first + "3" + last + "3 --pipeline-model-parallel-size 2"),
      ContainsText("the first and the last of 2 stages hold 6 layers, and num-layers is 10"));
  CHECK_THAT(refused(first + "5" + last + "5"),
             ContainsText("the first and the last of 4 stages hold 10 layers, and num-layers is "
                          "10"));
  CHECK_THAT(refused(first + "-3"), ContainsText("must not be negative, got -3"));
  CHECK_THAT(refused("--num-virtual-stages-per-pipeline-rank -2"),
             ContainsText("must not be negative, got -2"));
  CHECK_THAT(refused(layout + "'Et|t|t|tL'"), ContainsText("has 4 x t, and num-layers is 10"));
  CHECK_THAT(refused(layout + "'Et*5|t*2|t*3L'"), ContainsText("3 is no multiple of 4"));
  CHECK_THAT(refused(layout + "'Et*5|t*2|t*2|txL'"), ContainsText("'x' is not expressed"));
  CHECK_THAT(refused(layout + "'Et*5|t*2|t*2|tmL'"),
             ContainsText("has 1 x m, and mtp-num-layers is 0"));
  CHECK_THAT(refused(layout + "'Et*5|t*2|mt*2|tL' --mtp-num-layers 1"),
             ContainsText("has a layer of further tokens, m, before a layer t"));
  CHECK_THAT(refused(layout + "'Et*5|(t*2|t*2|tL'"), ContainsText("a '(' is not closed"));
  CHECK_THAT(refused(layout + "'Et*|t*2|t*2|tL'"),
             ContainsText("a '*' needs a count of 1 to 100000"));
  CHECK_THAT(refused(layout + "'Et*9999999|t*2|t*2|tL'"), ContainsText("a '*' needs a count"));
}

TEST_CASE("stages that are not equal are written as Megatron-LM's layout") {
  // By hand: 10 layers and two ends over 4 stages make 3 each, so the end stages have 2 layers.
  LaunchedTraining training =
      reading(pipeline_of_four + "--pipeline-model-parallel-layout 'Ett|ttt|ttt|ttL'\n", "a.sh")
          .training;
  training.plan.stage_layers = {};
  const LaunchWriting written = write_training(training, launcher_named(configs, "megatron-lm"));
  CHECK_THAT(written.text, ContainsText("--pipeline-model-parallel-layout 'Et*2|t*3|t*3|t*2L'"));
  CHECK(written.text.find("virtual-stages") == std::string::npos);
  CHECK(written.left_out.empty());
}

TEST_CASE("layers that predict further tokens stand on the last stage, behind the others") {
  const std::string flags = pipeline_of_four + "--num-layers 8 --mtp-num-layers 1 ";
  const auto equal = reading(flags + "\n", "a.sh").training;
  CHECK(equal.plan.stage_layers.counts == std::vector{2, 2, 2, 3});
  CHECK(further_layers(equal.own_model.value()) == 1);
  const auto ends = reading(flags + "--decoder-last-pipeline-num-layers 2\n", "a.sh").training;
  CHECK(ends.plan.stage_layers.counts == std::vector{2, 2, 2, 3});
  const auto text = [](const LaunchedTraining& training) {
    return write_training(training, launcher_named(configs, "megatron-lm")).text;
  };
  const std::string layout = "--pipeline-model-parallel-layout 'Et*2|t*2|t*2|t*2mL'";
  CHECK_THAT(text(equal), ContainsText(layout));
  CHECK_THAT(text(equal), ContainsText("--mtp-num-layers 1"));
  CHECK_THAT(text(equal), ContainsText("--num-layers 8"));
  // Megatron-LM has no flags for equal stages that include these layers, so the file has a layout.
  const auto own = reading(flags +
                               "--num-layers 7 --pipeline-model-parallel-layout "
                               "'Ett|tt|tt|tmL'\n",
                           "a.sh")
                       .training;
  CHECK(own.plan.stage_layers.counts.empty());
  CHECK_THAT(text(own), ContainsText("--pipeline-model-parallel-layout 'Et*2|t*2|t*2|tmL'"));
}

TEST_CASE("MaxText's axes inside a slice and between slices") {
  const std::string pairs =
      "python3 -m maxtext.train base.yml hardware=gpu per_device_batch_size=0.5 "
      "ici_tensor_parallelism=2 dcn_fsdp_parallelism=4 dcn_data_parallelism=1 remat_policy=minimal "
      "model_name=llama3-8b\n";
  const LaunchReading read = reading(pairs, "a.sh", 32);
  CHECK(read.training.plan.tensor_parallel_size == 2);
  CHECK(read.training.plan.data_parallel_size == 16);
  CHECK(read.training.plan.micro_batch == 1);
  CHECK(read.training.plan.sharded == Sharded::Parameters);
  CHECK(read.training.selective == SelectiveRecompute::AttentionCore);
  const std::string closed = "ici_fsdp_parallelism=4 ici_context_parallelism=1 ";
  CHECK(
      plan("python3 -m maxtext.train base.yml " + closed + pairs.substr(pairs.find("hardware=gpu")),
           "a.sh")
          .accelerators() == 4 * 2 * 4);
  CHECK(plan("per_device_batch_size: 2\nhardware: gpu\n", "a.yml", 16).shards_in_domain);
  CHECK(refusal([] { plan("per_device_batch_size: 2\nici_data_parallelism: 3\n", "a.yml", 16); }) ==
        "a.yml: ici_fsdp_parallelism: 16 is no multiple of 3");
  CHECK(refusal([] {
          plan("per_device_batch_size: 2\nici_data_parallelism: 0\n", "a.yml", 16);
        }).ends_with("ici_data_parallelism: must be at least 1, or once -1, got 0"));
  // Two slices of 16 chips each, whose axes inside a slice are no reason to refuse them.
  CHECK(refusal([] {
          plan("per_device_batch_size: 2\nici_fsdp_parallelism: 16\ndcn_fsdp_parallelism: 2\n",
               "a.yml", 32);
        }) ==
        "a.yml:3:23: dcn_fsdp_parallelism: the job spans 2 slices, and tofn takes a cluster as "
        "one: state the axis as ici_fsdp_parallelism for a job on one slice");
  CHECK(refusal([] { plan("per_device_batch_size: 2\nici_fsdp_parallelism: 8\n", "a.yml", 16); }) ==
        "a.yml:2:23: ici_fsdp_parallelism: the ici axes take 8 devices, there are 16");
  CHECK(refusal([] { plan("per_device_batch_size: 2\nremat_policy: custom\n", "a.yml", 16); }) ==
        "a.yml:2:15: remat_policy: 'custom' is not understood here: full, minimal_with_context, "
        "minimal, save_dot_except_mlp or save_dot_except_mlpwi");
}

TEST_CASE("MaxText's samples a device make whole micro-batches, its steps a length") {
  const auto refused = [](const std::string& lines) {
    return refusal([&] { plan("hardware: gpu\n" + lines, "a.yml", 16); });
  };
  CHECK(refused("per_device_batch_size: 0.5\n") ==
        "a.yml:2:24: per_device_batch_size: 0.5 make micro-batches of 0.5 samples on 16 "
        "replicas: only whole ones are expressed");
  CHECK_THAT(refused("per_device_batch_size: 1.5\nici_tensor_parallelism: 1\n"),
             ContainsText("1.5 make micro-batches of 1.5 samples"));
  CHECK_THAT(refused("per_device_batch_size: 1e57\n"),
             ContainsText("makes 1.6e+58 samples on 16 accelerators: at most 1e+09 are read"));
  // Two ranks share the samples of two devices.
  CHECK(plan("per_device_batch_size: 1.5\nhardware: gpu\nici_tensor_parallelism: 2\n", "a.yml", 16)
            .micro_batch == 3);
  CHECK(refused("per_device_batch_size: 2\nsteps: 0\n") ==
        "a.yml:3:8: steps: must be at least 1, or -1, is 0");
  const auto steps = [](const std::string& lines) {
    return reading("per_device_batch_size: 2\nhardware: gpu\n" + lines, "a.yml", 16).training.steps;
  };
  CHECK(steps("steps: 150_001\n") == 150001);
  CHECK(steps("") == 150001);
  CHECK_FALSE(steps("steps: -1\n"));  // as many as the learning rate's schedule
}

TEST_CASE(
    "MaxText's mesh of a pod of TPUs lies within it; its experts are shared out over replicas") {
  LaunchedTraining training{
      .model = "llama3-70b",
      .plan = {.tensor_parallel_size = 4, .data_parallel_size = 16, .micro_batch = 1},
      .accelerators_per_node = 4,
      .is_tpu = true};
  training.plan.sharded = Sharded::Parameters;
  training.plan.precision = Precision::Bf16;
  training.plan.kept_parameters = KeptFormat::Fp32;
  const Launcher& stack = launcher_named(configs, "maxtext");
  const LaunchWriting written = write_training(training, stack);
  CHECK_THAT(written.text, ContainsText("hardware=tpu"));
  CHECK_THAT(written.text, ContainsText("ici_fsdp_parallelism=16"));
  CHECK(written.left_out.empty());
  training.plan.expert_parallel_size = 64;
  CHECK(
      refusal([&] { write_training(training, stack); }) ==
      "ici_expert_parallelism: ep 64 does not divide dp 16: experts are shared out over replicas");
}

TEST_CASE("fms-fsdp and llm-foundry") {
  const Plan fms = plan(
      "torchrun --nnodes 2 --nproc_per_node 8 main.py --batch_size=2 --sharding_strategy=hsdp\n",
      "a.sh");
  CHECK(fms.shards_in_domain);
  CHECK(fms.micro_batch == 2);
  const auto recomputed = [](const std::string& share, bool is_stated = false) {
    const LaunchFile file = read_launch_text(
        "torchrun --nproc_per_node 8 main.py --batch_size=2 --sharding_strategy=hsdp "
        "--fsdp_activation_checkpointing=True --selective_checkpointing=" +
            share + "\n",
        "a.sh");
    const Launcher& stack = launcher_named(configs, "fms-fsdp");
    return read_training(file, stack, {.states_recompute = is_stated}).training.plan.recompute;
  };
  CHECK(recomputed("1") == Recompute::Full);
  CHECK(recomputed("3/3") == Recompute::Full);
  CHECK(recomputed("0") == Recompute::None);
  for (const char* share : {"1/3", "0.33"}) {
    CHECK(refusal([&] { recomputed(share); }) ==
          fmt::format("a.sh:1:114: selective_checkpointing: the program recomputes {} of the "
                      "layers, and a plan recomputes all of them or none: state --recompute full "
                      "or none",
                      share));
    recomputed(share, true);  // the option replaces the file's, which is not refused
  }
  for (const char* share : {"1/x", "2", "-1", "1/0", "half"})
    CHECK_THAT(refusal([&] { recomputed(share); }),
               ContainsText("expected a number from 0 to 1, or a fraction such as 1/3, got '"));
  const Plan foundry = plan(
      "variables: {length: 2048}\nmax_seq_len: ${variables.length}\nglobal_train_batch_size: 64\n"
      "device_train_microbatch_size: 4\noptimizer: {name: decoupled_adamw}\nmax_duration: 100ba\n"
      "fsdp_config: {activation_checkpointing: true, mixed_precision: PURE}\n",
      "a.yaml", 8);
  CHECK(foundry.gradient_accumulation == 2);
  CHECK(foundry.recompute == Recompute::Full);
  CHECK(foundry.gradient_precision == Precision::Bf16);
}

TEST_CASE("numbers whose product is too large are refused at their key") {
  const auto titan = [](const std::string& training, const std::string& parallelism) {
    return refusal([&] {
      plan("[model]\nflavor = \"8B\"\n[training]\n" + training + "[parallelism]\n" + parallelism,
           "a.toml", 1'000'000);
    });
  };
  CHECK(
      titan("local_batch_size = 1000000000000000\nglobal_batch_size = 64\n", "") ==
      "a.toml:5:21: training.global_batch_size: 1000000000000000 x 1000000 is too large a number");
  CHECK(titan("local_batch_size = 1\n",
              "tensor_parallel_degree = 2000000000\npipeline_parallel_degree = 2000000000\n"
              "context_parallel_degree = 2000000000\n") ==
        "a.toml:6:26: parallelism.tensor_parallel_degree: 2000000000 x 2000000000 x 2000000000 is "
        "too large a number");
  CHECK(titan("local_batch_size = 1\n",
              "data_parallel_replicate_degree = 1000000000000000\n"
              "data_parallel_shard_degree = 1000000000000000\n") ==
        "a.toml:7:30: parallelism.data_parallel_shard_degree: 1000000000000000 x 1000000000000000 "
        "is too large a number");
  CHECK_THAT(refusal([] {
               plan(
                   "def recipe():\n    return Trainer.Config(\n"
                   "        training=TrainingConfig(num_tokens_per_microbatch_per_dp_rank=4096,\n"
                   "            num_tokens_per_train_step=65536, max_context_length=4096),\n"
                   "        parallelism=ParallelismConfig(pipeline_parallel_degree=2,\n"
                   "            num_pp_microbatches=1000000000000000),\n"
                   "        activation_checkpoint=SelectiveAC.Config())\n",
                   "r.py:recipe", 16);
             }),
             ContainsText("num_tokens_per_train_step: 4096 x 1000000000000000 x 8 is too large"));
  CHECK_THAT(refusal([] {
               plan(
                   "per_device_batch_size: 2\nici_pipeline_parallelism: 2\n"
                   "num_pipeline_repeats: 1\nnum_pipeline_microbatches: 1000000000000000\n",
                   "a.yml", 1'000'000);
             }),
             ContainsText("num_pipeline_microbatches: 1000000000000000 x 500000 is too large"));
  CHECK_THAT(refusal([] {
               plan(
                   "torchrun --nproc_per_node 8 --nnodes 100000 pretrain_gpt.py --num-layers 2 "
                   "--micro-batch-size 1000000000000000 --global-batch-size 64\n",
                   "a.sh");
             }),
             ContainsText("micro-batch-size: 1000000000000000 x 800000 is too large a number"));
}

TEST_CASE("a length that no plan has is refused") {
  const auto titan = [](const std::string& length) {
    return refusal([&] {
      plan("[model]\nflavor = \"8B\"\n[training]\nseq_len = " + length +
               "\n[activation_checkpoint]\nmode = \"none\"\n",
           "a.toml", 8);
    });
  };
  CHECK(titan("5000000000") ==
        "a.toml:4:11: training.seq_len: must be 1 to 2147483647 tokens, is 5000000000");
  CHECK(titan("0") == "a.toml:4:11: training.seq_len: must be 1 to 2147483647 tokens, is 0");
  CHECK_THAT(refusal([] {
               plan("per_device_batch_size: 2\nmax_target_length: 5000000000\n", "a.yml", 16);
             }),
             ContainsText("max_target_length: must be 1 to 2147483647 tokens, is 5000000000"));
}

TEST_CASE("a step has 1 to 1000000 micro-batches in every stack") {
  const auto refused = [](const std::string& text, const std::string& path) {
    return refusal([&] { plan(text, path, 8); });
  };
  const std::string bound = "a step has 1 to 1000000 micro-batches";
  CHECK(refused("[model]\nflavor = \"8B\"\n[training]\nlocal_batch_size = 100000\n"
                "global_batch_size = 800000000000\n[parallelism]\npipeline_parallel_degree = 8\n",
                "a.toml") == "a.toml:4:20: training.local_batch_size: " + bound);
  CHECK(refused("per_device_batch_size: 2\ngradient_accumulation_steps: 0\n", "a.yml") ==
        "a.yml:2:30: gradient_accumulation_steps: " + bound);
  CHECK_THAT(refused("torchrun pretrain_gpt.py --num-layers 2 --micro-batch-size 1 "
                     "--global-batch-size 800000000\n",
                     "a.sh"),
             ContainsText("global-batch-size: " + bound));
  CHECK_THAT(
      refused(
          "accelerate launch --use_fsdp --num_processes 8 train.py --per_device_train_batch_size 1 "
          "--gradient_accumulation_steps 0\n",
          "a.sh"),
      ContainsText("gradient_accumulation_steps: " + bound));
}

TEST_CASE("what a stack cannot express is said") {
  LaunchedTraining training;
  training.plan.data_parallel_size = 8;
  training.plan.sharded = Sharded::Optimizer;
  training.plan.precision = Precision::Bf16;
  training.plan.compression = GradientCompression::None;
  const LaunchWriting written = write_training(training, launcher_named(configs, "torchtitan"));
  CHECK(
      std::set<std::string>(written.left_out.begin(), written.left_out.end()).contains("sharded"));
  CHECK(refusal([] {
          launcher_named(configs, "deepsped");
        }).starts_with("unknown launcher 'deepsped', did you mean 'deepspeed'?"));
}

TEST_CASE("every key of a launcher has a source and is there once") {
  for (const Launcher& launcher : launchers_in(configs)) {
    std::set<std::string_view> keys;
    for (const LaunchKey& key : launcher.keys) {
      INFO(launcher.name << " " << key.key);
      CHECK(keys.insert(key.key).second);
      CHECK_FALSE(key.source.empty());
    }
    CHECK(launcher.version.empty() == !launcher.is_read);
    for (const std::string_view start : launcher.ignored) CHECK_FALSE(start.empty());
  }
}

TEST_CASE("files of programs that are not read are not taken for others'") {
  const std::string read =
      "are not read: those of primus, primus-torchtitan, gpt-neox, torchtitan, "
      "torchtitan-registry, maxtext, "
      "fms-fsdp, llm-foundry, "
      "accelerate, deepspeed, nemo and megatron-lm are";
  for (const auto& [text, refused] : std::initializer_list<std::pair<std::string, std::string>>{
           {"deepspeed: ds.json\nfinetuning_type: lora\n",
            "2:18: finetuning_type: files of LLaMA-Factory "},
           {"base_model: x/y\ndeepspeed: ds.json\n", "1:13: base_model: files of axolotl "},
           {"general:\n  seed: 1\ntokens:\n  micro_batch_size: 2\n",
            "4:21: tokens.micro_batch_size: files of nanotron "},
           {"distributed:\n  tp_size: 1\nstep_scheduler:\n  local_batch_size: 4\n",
            "4:21: step_scheduler.local_batch_size: files of NeMo AutoModel "},
           {"trainer:\n  train_batch_size: 8\n  num_train_steps: 5\n",
            "3:20: trainer.num_train_steps: files of Levanter "},
           {"model:\n  _component_: torchtune.models.llama3.llama3_8b\n",
            "2:16: model._component_: files of torchtune "}}) {
    INFO(text);
    CHECK(refusal([&] { reading(text, "a.yaml", 8); }) == "a.yaml:" + refused + read);
  }
  // A flag of the started program with the same name does not count.
  CHECK(
      plan("deepspeed --num_gpus 8 a.py --deepspeed --base_model x --micro-batch-size 1\n", "a.sh")
          .accelerators() == 8);
}
