#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string deepspeed =
    "{\"train_batch_size\": 64, \"gradient_accumulation_steps\": 2, \"bf16\": {\"enabled\": "
    "true},\n"
    " \"zero_optimization\": {\"stage\": 3}}";

}  // namespace

TEST_CASE("DeepSpeed's batch, stages and flags") {
  const Plan read = plan(deepspeed, "ds.json", 8);
  CHECK(read.data_parallel_size == 8);
  CHECK(read.micro_batch == 4);
  CHECK(read.gradient_accumulation == 2);
  CHECK(read.sharded == Sharded::Parameters);
  CHECK(read.data_overlap);  // stage 3's default
  CHECK(refusal([] { plan(deepspeed, "ds.json", 48); }) ==
        "ds.json:1:22: train_batch_size: 64 is no multiple of 96");
  const std::string script = "cat <<EOF > ds.json\n" + deepspeed +
                             "\nEOF\ndeepspeed --num_nodes 2 --num_gpus 8 pretrain.py "
                             "--tensor-model-parallel-size 2 --deepspeed_config ds.json ";
  CHECK(plan(script + "--zero-stage 3\n", "a.sh").data_parallel_size == 8);
  CHECK(refusal([&] { plan(script + "--zero-stage 1\n", "a.sh"); }) ==
        "a.sh:5:108: zero-stage: is 1 here, and 3 in zero_optimization.stage");
  CHECK_THAT(refusal([&] { plan(script + "--train-iters 0\n", "a.sh"); }),
             ContainsText("train-iters: must be at least 1, is 0"));
  CHECK_THAT(refusal([&] { plan(script + "--seq-length 3000000000\n", "a.sh"); }),
             ContainsText("seq-length: must be 1 to 2147483647 tokens, is 3000000000"));
  CHECK(refusal([] { plan("{\"train_batch_size\": \"auto\"}", "ds.json", 8); }) ==
        "ds.json:1:22: train_batch_size: 'auto' leaves it to the program: neither it nor the "
        "micro-batch is stated");
}

TEST_CASE("of DeepSpeed's batch, samples and steps two give the third") {
  const auto read = [](const std::string& json) {
    return plan(json + ", \"zero_optimization\": {\"stage\": 1}}", "ds.json", 8);
  };
  const Plan of_batch = read("{\"train_batch_size\": 96, \"train_micro_batch_size_per_gpu\": 4");
  CHECK(of_batch.gradient_accumulation == 3);
  CHECK(of_batch.micro_batch == 4);
  const Plan alone = read("{\"train_micro_batch_size_per_gpu\": 4");
  CHECK(alone.gradient_accumulation == 1);
  CHECK(alone.global_batch() == 32);
  const Plan of_steps =
      read("{\"train_micro_batch_size_per_gpu\": 2, \"gradient_accumulation_steps\": 5");
  CHECK(of_steps.gradient_accumulation == 5);
  CHECK(of_steps.global_batch() == 80);
}

TEST_CASE("DeepSpeed's numbers whose product is too large are refused at their key") {
  const auto refused = [](const std::string& json) {
    return refusal([&] { plan(json + ", \"bf16\": {\"enabled\": true}}", "ds.json", 100'000); });
  };
  const std::string large = "1000000000000000";
  CHECK(refused("{\"train_batch_size\": 64, \"gradient_accumulation_steps\": " + large) ==
        "ds.json:1:22: train_batch_size: 1000000000000000 x 100000 is too large a number");
  CHECK(refused("{\"train_batch_size\": 64, \"train_micro_batch_size_per_gpu\": " + large) ==
        "ds.json:1:22: train_batch_size: 1000000000000000 x 100000 is too large a number");
  CHECK(refused("{\"train_batch_size\": 64, \"train_micro_batch_size_per_gpu\": 8, "
                "\"gradient_accumulation_steps\": " +
                large) ==
        "ds.json:1:22: train_batch_size: 8 x 1000000000000000 x 100000 is too large a number");
  CHECK(refused("{\"zero_optimization\": {\"stage\": 1}, \"train_micro_batch_size_per_gpu\": 8, "
                "\"gradient_accumulation_steps\": " +
                large) ==
        "ds.json:1:105: gradient_accumulation_steps: a step has 1 to 1000000 micro-batches");
}

TEST_CASE("DeepSpeed's files have no context parallelism") {
  LaunchedTraining training;
  training.plan.context_parallel_size = 2;
  CHECK(refusal([&] { write_training(training, launcher_named(configs, "deepspeed")); }) ==
        "it does not express context parallelism: state --cp 1");
}

namespace {

/// JSON in the style of Hugging Face's examples, and a command that launches it.
std::string with_trainer(const std::string& batch, const std::string& flags) {
  return "cat <<EOF > ds.json\n{\"bf16\": {\"enabled\": \"auto\"}, \"fp16\": {\"enabled\": "
         "\"auto\"},\n\"zero_optimization\": {\"stage\": 3}, \"train_batch_size\": \"auto\",\n"
         "\"train_micro_batch_size_per_gpu\": " +
         batch +
         ", \"gradient_accumulation_steps\": \"auto\"}\nEOF\n"
         "deepspeed --num_nodes 2 --num_gpus 8 train.py --deepspeed ds.json " +
         flags + "\n";
}

}  // namespace

TEST_CASE("the Trainer's flags fill in what its JSON leaves open") {
  const Plan read = plan(with_trainer("\"auto\"",
                                      "--per_device_train_batch_size 2 "
                                      "--gradient_accumulation_steps 8 --bf16 True"),
                         "a.sh");
  CHECK(read.micro_batch == 2);
  CHECK(read.gradient_accumulation == 8);
  CHECK(read.precision == Precision::Bf16);
  const Plan once =
      plan(with_trainer("\"auto\"", "--per_device_train_batch_size 4 --fp16"), "a.sh");
  CHECK(once.gradient_accumulation == 1);
  CHECK(once.precision == Precision::Fp16);
  CHECK_THAT(
      refusal([] { plan(with_trainer("3", "--per_device_train_batch_size 2 --bf16"), "a.sh"); }),
      ContainsText("per_device_train_batch_size: is 2 here, and 3 in"));
}

TEST_CASE("flags of the Trainer beside its JSON state the length and the steps") {
  const auto read = [](const std::string& flags) {
    return reading(with_trainer("2", "--bf16 --per_device_train_batch_size 2 " + flags), "a.sh");
  };
  for (const char* name : {"max_seq_length", "max_length", "block_size", "model_max_length"}) {
    const LaunchReading stated = read("--" + std::string(name) + " 4096 --max_steps 500");
    CHECK(stated.training.sequence_length == 4096);
    CHECK(stated.training.steps == 500);
    CHECK(stated.training.has_other_program);
    CHECK(stated.not_understood.empty());
  }
  const LaunchReading open = read("--max_steps -1 --max_seq_length $LENGTH");
  CHECK_FALSE(open.training.steps);
  CHECK_FALSE(open.training.sequence_length);
  CHECK(open.not_understood.size() == 1);
}

TEST_CASE("what DeepSpeed's JSON leaves open and no flag decides is refused") {
  CHECK(refusal([] { plan(with_trainer("2", "--gradient_accumulation_steps 8"), "a.sh"); }) ==
        "a.sh:2:22: bf16.enabled: 'auto' leaves it to the program: state true or false, or "
        "give the script with its --bf16 or --fp16");
  CHECK(refusal([] { plan(with_trainer("2", "--bf16"), "a.sh"); }) ==
        "a.sh:4:69: gradient_accumulation_steps: 'auto' leaves it to the program: neither it nor "
        "the batch is stated");
  const std::string decided =
      "{\"zero_optimization\": {\"stage\": 1}, \"bf16\": {\"enabled\": true}, "
      "\"fp16\": {\"enabled\": \"auto\"}, \"train_micro_batch_size_per_gpu\": 2}";
  CHECK(plan(decided, "ds.json", 8).precision == Precision::Bf16);
}

TEST_CASE("Megatron-DeepSpeed's flags of layers make its model, but for mixtures") {
  const auto read = [](const std::string& flags) {
    return reading(
               "deepspeed --num_nodes 1 --num_gpus 8 pretrain_gpt.py --num-layers 32 --hidden-size "
               "4096 "
               "--ffn-hidden-size 14336 --num-attention-heads 32 --num-key-value-heads 8 "
               "--seq-length 4096 --max-position-embeddings 4096 --vocab-size 128256 "
               "--make-vocab-size-divisible-by 1 --micro-batch-size 1 --global-batch-size 8 --bf16 "
               "--use-rotary-position-embeddings --normalization rmsnorm --swiglu "
               "--disable-bias-linear --untie-embeddings-and-output-weights --deepspeed "
               "--zero-stage 1 " +
                   flags + "\n",
               "a.sh")
        .training;
  };
  const LaunchedTraining training = read("");
  REQUIRE(training.own_model);
  CHECK(parameters(*training.own_model) == 8'030'261'248);  // Llama 3 8B
  CHECK(training.sequence_length == 4096);
  CHECK_FALSE(read("--num-experts 64 --moe-expert-parallel-size 8").own_model);
}
