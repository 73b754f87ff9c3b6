#include "sim/app/launch_options.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/answered.hpp"
#include "sim/core/file.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Options stated{{"accelerators", 16}, {"tp", 2}, {"pp", 2}, {"batch", 128}, {"tokens", "1T"}};

Options with_option_of(Options options, const std::string& name, const Setting& value) {
  options.emplace_back(name, value);
  return options;
}

Answered predicted_by(const std::vector<std::string>& words, const Options& options) {
  return tofn::answered({.command = "predict", .arguments = words, .options = options});
}

std::string script_of(const Answered& answer) {
  return answer.answer.text.substr(answer.answer.text.find("#!/bin/bash"));
}

Value cell(const Answered& answer, const std::string& column) {
  const Records& records = answer.answer.records;
  const auto at = std::find(records.columns.begin(), records.columns.end(), column);
  return records.rows.at(0).at(static_cast<std::size_t>(at - records.columns.begin()));
}

}  // namespace

TEST_CASE("a plan that is emitted is predicted alike from its file", "[app]") {
  const TemporaryFolder folder;
  const Answered request = predicted_by(
      {"llama3-8b", "dgx-h100"},
      with_option_of(with_option_of(stated, "emit", "megatron-lm"), "stack", "megatron-core"));
  std::ofstream(folder.file("run.sh")) << script_of(request);
  const Answered read =
      predicted_by({"dgx-h100"}, {{"from", folder.file("run.sh")}, {"tokens", "1T"}});
  for (const char* column : {"plan", "global_batch", "accelerators", "step_s", "days"}) {
    INFO(column);
    CHECK((cell(read, column) == cell(request, column)));
  }
}

TEST_CASE("a launch file alone goes into the file of -o, and a step of it is the same step",
          "[app]") {
  const TemporaryFolder folder;
  const std::string file = folder.file("run.sh");
  const Options one_step{
      {"accelerators", 16}, {"tp", 2}, {"pp", 2}, {"batch", 128}, {"stack", "megatron-core"}};
  const auto stepped = [](const std::vector<std::string>& words, const Options& options) {
    return tofn::answered({.command = "step", .arguments = words, .options = options});
  };
  const Options emitting = with_option_of(one_step, "emit", "megatron-lm");
  const std::string beside = script_of(stepped({"llama3-8b", "dgx-h100"}, emitting));
  const Answered request =
      stepped({"llama3-8b", "dgx-h100"}, with_option_of(emitting, "output", file));
  CHECK_THAT(request.answer.text, !ContainsText("#!/bin/bash"));
  CHECK(read_text_file(file) == beside);
  const Answered read = stepped({"dgx-h100"}, {{"from", file}});
  for (const char* column : {"plan", "global_batch", "accelerators", "step_s", "memory_gb"}) {
    INFO(column);
    CHECK((cell(read, column) == cell(request, column)));
  }
  const auto refused = [&](Options options) {
    options.emplace_back("batch", 128);
    return refusal([&] { stepped({"llama3-8b", "dgx-h100"}, options); });
  };
  CHECK_THAT(refused({{"accelerators", "16,32"}, {"emit", "megatron-lm"}}),
             ContainsText("--emit: is of one number of accelerators"));
  CHECK_THAT(refused({{"check", "train.log"}, {"from", file}, {"emit", "megatron-lm"}}),
             ContainsText("--emit: changes nothing with --check"));
}

TEST_CASE("a log is checked against the job that a launch file describes", "[app]") {
  const TemporaryFolder folder;
  const std::string script = folder.file("run.sh");
  const std::string log = folder.file("train.log");
  std::ofstream(script) << script_of(predicted_by(
      {"llama3-8b", "dgx-h100"},
      with_option_of(with_option_of(stated, "emit", "megatron-lm"), "stack", "megatron-core")));
  const auto of_script = [&](const Options& more) {
    Options options{{"from", script}};
    options.insert(options.end(), more.begin(), more.end());
    return tofn::answered({.command = "step", .arguments = {"dgx-h100"}, .options = options});
  };
  std::ofstream lines(log);
  for (int step = 1; step <= 20; ++step)
    lines << fmt::format("iteration {} | elapsed time per iteration (ms): 9{}00.0 |\n", step,
                         step % 3);
  lines.close();
  const Answered checked = of_script({{"check", log}});
  CHECK((cell(checked, "predicted_s") == cell(of_script({}), "step_s")));
  CHECK((cell(checked, "measured_s") == Value(9.1)));
  CHECK_THAT(refusal([&] { of_script({{"check", log}, {"tp", 3}}); }), ContainsText("tp"));
}

TEST_CASE("options and a script's flags state what a DeepSpeed JSON leaves to the program",
          "[app]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("auto.json"))
      << R"({"train_batch_size": "auto", "train_micro_batch_size_per_gpu": "auto",
             "gradient_accumulation_steps": "auto", "zero_optimization": {"stage": 3, "novel": 1},
             "bf16": {"enabled": "auto"}})";
  std::ofstream(folder.file("run.sh"))
      << "torchrun --nproc_per_node 8 --nnodes 4 train.py --deepspeed auto.json "
         "--per_device_train_batch_size 2 --gradient_accumulation_steps 8 --bf16 True\n";
  const std::string script = folder.file("run.sh");
  const std::string json = folder.file("auto.json");
  const std::vector<std::string> words{"llama3-8b", "dgx-h100"};
  for (const std::string& files : {script, script + "," + json, json + "," + script}) {
    INFO(files);
    const Answered read = predicted_by(words, {{"from", files}, {"tokens", "1T"}});
    CHECK((cell(read, "global_batch") == Value(512.0)));
    CHECK(std::ranges::count_if(read.notices, [](const std::string& each) {
            return each.find("zero_optimization.novel: not understood") != std::string::npos;
          }) == 1);
  }
  const Options sizes{{"from", json},     {"accelerators", 64},  {"batch", 256},
                      {"micro-batch", 2}, {"precision", "bf16"}, {"tokens", "1T"}};
  const Answered stated_here = predicted_by(words, sizes);
  CHECK((cell(stated_here, "global_batch") == Value(256.0)));
  CHECK_THAT(fmt::format("{}", fmt::join(stated_here.notices, " ")),
             ContainsText("states no program: --stack unknown"));
  CHECK_THAT(stated_here.answer.text, ContainsText("samples are taken to have 8192 tokens"));
  Options with_length = with_option_of(sizes, "sequence-length", 4096);
  CHECK_THAT(predicted_by(words, with_length).answer.text, !ContainsText("samples are taken"));
  CHECK_THAT(refusal([&] {
               predicted_by(words, {{"from", json}, {"accelerators", 64}, {"tokens", "1T"}});
             }),
             ContainsText("neither it nor the micro-batch is stated"));
  std::filesystem::remove(json);
  std::string said;
  for (const std::string& each : predicted_by(words, {{"from", script}, {"tokens", "1T"}}).notices)
    said += each + '\n';
  CHECK_THAT(said, ContainsText("'auto.json' (this file is not here)"));
}

TEST_CASE("what is asked beside a launch file goes above it, and that is said", "[app]") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("run.sh")) << script_of(
      predicted_by({"llama3-8b", "dgx-h100"}, with_option_of(stated, "emit", "megatron-lm")));
  const Answered wider = predicted_by(
      {"dgx-h100"}, {{"from", folder.file("run.sh")}, {"accelerators", 64}, {"tokens", "1T"}});
  CHECK((cell(wider, "accelerators") == Value(64LL)));
  std::string stated;
  for (const std::string& notice : wider.notices) stated += notice + '\n';
  CHECK_THAT(stated, ContainsText("launches 16 accelerators: taken on 64, as -N asks"));
  CHECK_THAT(stated, ContainsText("is of megatron-lm: --stack megatron-core"));
}

TEST_CASE("a launch file that asks for no 16 bits runs in fp32, and that is said", "[app]") {
  const TemporaryFolder folder;
  std::string script = script_of(
      predicted_by({"llama3-8b", "dgx-h100"}, with_option_of(stated, "emit", "megatron-lm")));
  const auto predicted = [&](const Options& more) {
    std::ofstream(folder.file("run.sh")) << script;
    Options request{{"from", folder.file("run.sh")}, {"tokens", "1T"}};
    request.insert(request.end(), more.begin(), more.end());
    return predicted_by({"dgx-h100"}, request);
  };
  const auto says_so = [](const Answered& answer) {
    return std::any_of(answer.notices.begin(), answer.notices.end(), [](const std::string& each) {
      return each.find("asks for neither bf16 nor fp16: products run in fp32") != std::string::npos;
    });
  };
  const Answered in_bf16 = predicted({});
  CHECK_FALSE(says_so(in_bf16));
  CHECK_THAT(in_bf16.answer.text, !ContainsText("\nprecision "));
  script.replace(script.find("    --bf16"), 10, "    --swiglu");
  const Answered in_fp32 = predicted({});
  CHECK(says_so(in_fp32));
  CHECK_THAT(in_fp32.answer.text, ContainsText("\nprecision     fp32\n"));
  const Answered request = predicted({{"precision", "bf16"}});
  CHECK_FALSE(says_so(request));
  CHECK_THAT(request.answer.text, !ContainsText("\nprecision "));
}

TEST_CASE("a launch file that is asked for is of the stack that it launches, unless one is named",
          "[app]") {
  const auto emitted = [](const Options& more) {
    Options all = with_option_of(stated, "emit", "megatron-lm");
    all.insert(all.end(), more.begin(), more.end());
    return predicted_by({"llama3-8b", "dgx-h100"}, all);
  };
  const Answered unnamed = emitted({});
  REQUIRE(unnamed.notices.size() == 2);
  CHECK(unnamed.notices.front() == "--emit megatron-lm: --stack megatron-core");
  CHECK_THAT(unnamed.notices.back(), ContainsText("to be added to the file: the base of rotary"));
  CHECK((cell(unnamed, "step_s") == cell(emitted({{"stack", "megatron-core"}}), "step_s")));
  const Answered named = emitted({{"stack", "torchtitan"}});
  CHECK((cell(named, "step_s") != cell(unnamed, "step_s")));
  for (const std::string& notice : named.notices) CHECK_THAT(notice, !ContainsText("--stack"));
}

TEST_CASE("a launcher that is not known is refused with those that are", "[app]") {
  CHECK_THAT(refusal([] {
               predicted_by({"llama3-8b", "dgx-h100"}, with_option_of(stated, "emit", "megatron"));
             }),
             ContainsText("unknown launcher 'megatron', did you mean 'megatron-lm'?"));
}

TEST_CASE("a launch file is of one size, and of no csv", "[app]") {
  const auto refused = [](const Options& request) {
    return refusal([&] { predicted_by({"llama3-8b", "dgx-h100"}, request); });
  };
  CHECK_THAT(refused({{"accelerators", "16,32"}, {"tokens", "1T"}, {"emit", "deepspeed"}}),
             ContainsText("--emit: is of one number of accelerators"));
  CHECK_THAT(refused(with_option_of(with_option_of(stated, "emit", "deepspeed"), "format", "csv")),
             ContainsText("--emit: its file follows the answer for "
                          "people: leave --format out"));
}

TEST_CASE("a plan that no file can launch is answered all the same, and that is said", "[app]") {
  Options request = with_option_of(with_option_of(stated, "cp", 2), "emit", "deepspeed");
  request.emplace_back("stack", "megatron-core");
  const Answered answer = predicted_by({"llama3-8b", "dgx-h100"}, request);
  CHECK(answer.answer.exit_code == 2);
  CHECK_THAT(answer.answer.text, ContainsText("days"));
  std::string stated;
  for (const std::string& notice : answer.notices) stated += notice + '\n';
  CHECK_THAT(stated,
             ContainsText("--emit deepspeed: it does not express context parallelism: state "
                          "--cp 1"));
}

TEST_CASE("a plan that was searched for is emitted too", "[app]") {
  const Answered best =
      tofn::answered({.command = "plan",
                      .arguments = {"llama3-8b", "dgx-h100"},
                      .options = {{"tokens", "1B"}, {"accelerators", 8}, {"emit", "torchtitan"}}});
  CHECK_THAT(best.answer.text, ContainsText("[parallelism]"));
}

TEST_CASE("a file beside a script that names another one is told to be overridden", "[app]") {
  const TemporaryFolder folder;
  for (const char* name : {"ds.json", "ds2.json"})
    std::ofstream(folder.file(name))
        << R"({"train_batch_size": 512, "train_micro_batch_size_per_gpu": 2, )"
           R"("zero_optimization": {"stage": 2}, "bf16": {"enabled": true}})";
  std::ofstream(folder.file("run.sh"))
      << "#!/bin/bash\n"
         "deepspeed --num_nodes 8 --num_gpus 8 pretrain_gpt.py --tensor-model-parallel-size 1 "
         "--pipeline-model-parallel-size 1 --num-layers 32 --hidden-size 4096 --ffn-hidden-size "
         "14336 --num-attention-heads 32 --seq-length 4096 --max-position-embeddings 4096 "
         "--micro-batch-size 2 --global-batch-size 512 --train-iters 1000 --bf16 --swiglu "
         "--disable-bias-linear --use-rotary-position-embeddings --normalization rmsnorm "
         "--untie-embeddings-and-output-weights --vocab-size 32000 --deepspeed "
         "--deepspeed_config ds.json\n";
  const auto told = [&](const std::string& beside) {
    const std::string files = folder.file("run.sh") + "," + folder.file(beside);
    const Answered answer = tofn::answered(
        {.command = "step", .arguments = {"dgx-h100"}, .options = {{"from", files}}});
    return fmt::format("{}", fmt::join(answer.notices, "\n"));
  };
  CHECK_THAT(told("ds2.json"),
             ContainsText(fmt::format("{} names ds.json (--deepspeed_config), whose settings "
                                      "override those of {}",
                                      folder.file("run.sh"), folder.file("ds2.json"))));
  CHECK_THAT(told("ds.json"), !ContainsText("override those"));
}
