#include <algorithm>
#include <map>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "sim/core/count_text.hpp"
#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

// Tests that an option without effect is refused, or that the answer names it.
using namespace tofn::test;

namespace {

/// Value to pass for each option. Added to `Question::options`, an option must change the answer,
/// be refused, or be named in the answer.
const std::map<std::string, std::string> values{
    {"accelerators", "16"},
    {"accelerators-per-domain", "4"},
    {"alone", ""},
    {"balance", "on"},
    {"balanced-stages", "on"},
    {"batch", "32"},
    {"batch-tokens", "1M"},
    {"budget", "1M"},
    {"calibration", "h100-dell-2x8"},
    {"carbon", "5"},
    {"cases", "nowhere.csv"},
    {"check", "nowhere.log"},
    {"checkpoint-cost", "100s"},
    {"checkpoint-every", "1h"},
    {"checkpoint-layout", "gathered"},
    {"checkpoint-mode", "async"},
    {"checkpoint-node-bandwidth", "1GB/s"},
    {"checkpoint-storage", "40GB/s"},
    {"chunks", "2"},
    {"cluster", "dgx-a100"},
    {"collective", "all-gather"},
    {"collectives", "nowhere.log"},
    {"compile", "off"},
    {"compression", "int8"},
    {"context-exchange", "all-gather"},
    {"cp", "2"},
    {"critical-batch", "'20M tokens'"},
    {"cuda-graphs", "full_iteration"},
    {"data-overlap", "off"},
    {"deadline", "3d"},
    {"emit", "megatron-lm"},
    {"energy", "1000"},
    {"engine-precision", "fp8"},
    {"engine-tp", "4"},
    {"engine-attention", "dp"},
    {"ep", "2"},
    {"evaluate", "'512 samples'"},
    {"evaluate-every", "'1000 steps'"},
    {"expert-dispatch", "deepep"},
    {"expert-overlap", "on"},
    {"explain", "dgx-b200"},
    {"facility-factor", "1.5"},
    {"failure-every", "1000h"},
    {"fp8-attention", "on"},
    {"fp8-dispatch", "on"},
    {"freeze", "vocabulary"},
    {"from", "nowhere.sh"},
    {"generations", "16"},
    {"generators", "8"},
    {"grad-accum", "4"},
    {"gradient-precision", "bf16"},
    {"grid", "300"},
    {"job", "llama3-70b"},
    {"kept-gradients", "bf16"},
    {"kept-master", "bf16"},
    {"kept-moments", "bf16"},
    {"kept-parameters", "fp8"},
    {"leave-one-out", "model"},
    {"length-spread", "0.3"},
    {"lora-rank", "8"},
    {"lora-targets", "q_proj"},
    {"loss-chunks", "2"},
    {"max-length", "8k"},
    {"max-sequences", "16"},
    {"measured", "nowhere.json"},
    {"measurement-of", "cost"},
    {"memory-margin", "60%"},
    {"micro-batch", "2"},
    {"mixed-with", "dgx-a100:1"},
    {"model", "llama3-70b"},
    {"nodes", "1"},
    {"next-measurement", ""},
    {"observed", "'8,8: 1.4 s'"},
    {"offload-optimizer", "on"},
    {"optimizer", "lion"},
    {"other-layers", "3"},
    {"other-stages", "1"},
    {"overrun", "none"},
    {"packed-length", "512"},
    {"parameter-overlap", "on"},
    {"parameter-precision", "fp32"},
    {"plan", "llama3-70b-64"},
    {"pp", "2"},
    {"precision", "fp8"},
    {"preemption-every", "24h"},
    {"price", "3"},
    {"price-term", "reserved_1y"},
    {"prices", "nowhere.yaml"},
    {"prompt-length", "500"},
    {"prompts", "32"},
    {"ranks", "8"},
    {"record", "nowhere.json"},
    {"recompute", "full"},
    {"recompute-modules", "layernorm"},
    {"reference", "off"},
    {"release", "23.04"},
    {"replica-batch", "4"},
    {"response-length", "512"},
    {"restart", "2h"},
    {"rl", "grpo"},
    {"rl-steps", "100"},
    {"runs", "5"},
    {"same-loss", ""},
    {"samples", "1000000"},
    {"schedule", "zero-bubble"},
    {"search", "all"},
    {"seed", "7"},
    {"send-overlap", "on"},
    {"sensitivity", ""},
    {"sequence-length", "2048"},
    {"sequence-parallel", "on"},
    {"sharded", "parameters"},
    {"shard-ranks", "8"},
    {"shards-in-domain", "on"},
    {"sharp", "on"},
    {"size", "1GiB"},
    {"slow-link", "2"},
    {"slow-node", "1.5"},
    {"slow-stage", "1"},
    {"stack", "megatron-core"},
    {"stage-layers", "16,16"},
    {"start-up", "1h"},
    {"steps", "nowhere.yaml"},
    {"steps-off", "1"},
    {"stride", "2"},
    {"table", "phases"},
    {"tensor-overlap", "on"},
    {"times", "network.latency=2"},
    {"tokens", "2T"},
    {"tp", "2"},
    {"training", "llama3-8b"},
    {"updates", "2"},
    {"whole-experts", "on"},
};

struct Question {
  std::string command;  ///< a command with its own help
  std::string options;
  /// Options that change no figure of the rows, or none with this machine.
  std::vector<std::string> apart{};
  std::map<std::string, std::string> others{};  ///< values that replace those of `values`
};

std::vector<std::string> options_of(const std::string& command) {
  const std::string help = run_program(command + " --help").output;
  const std::string own = help.substr(0, help.find("Common options"));
  static const std::regex option("\n  (?:-[A-Za-z] \\[ )?--([a-z0-9-]+)");
  std::vector<std::string> names;
  for (std::sregex_iterator at(own.begin(), own.end(), option), end; at != end; ++at)
    names.push_back((*at)[1]);
  return names;
}

/// Rows of an answer without the keys that repeat the request, and the notices printed with them.
struct Answer {
  nlohmann::json rows;
  std::string reported;
  int exit_code = 0;
};

Answer answer_of(const std::string& arguments) {
  const Outcome outcome = run_program(arguments + " --format json");
  Answer answer{.rows = {}, .reported = outcome.errors, .exit_code = outcome.exit_code};
  if (outcome.exit_code == 2) return answer;
  answer.rows = nlohmann::json::parse(outcome.output).at("rows");
  for (nlohmann::json& row : answer.rows) {
    if (row.contains("substituted")) answer.reported += row["substituted"].dump();
    for (const char* key : {"plan", "substituted"}) row.erase(key);
  }
  return answer;
}

}  // namespace

TEST_CASE("each option changes the answer, is refused, or is told to do nothing") {
  const std::vector<Question> questions{
      {"step llama3-8b dgx-h100",
       "-N 16 --batch 16",
       {"trace", "explain"},
       {{"parameter-overlap", "off"}}},
      {"predict llama3-8b dgx-h100",
       "-N 8 --batch 16 --tokens 1T",
       {"cuda-graphs", "search"},
       {{"parameter-overlap", "off"}}},
      {"predict llama3-8b dgx-h100",
       "-N 16 --rl grpo --prompts 64 --generations 32 --response-length 1060 --max-length 4096 "
       "--rl-steps 100",
       {"cuda-graphs"},
       {{"parameter-overlap", "off"}}},
      {"predict bert dgx-h100", "-N 8", {}, {{"precision", "bf16"}}},
      {"step bert dgx-h100", "-N 8", {"trace"}, {{"precision", "bf16"}}},
      {"collective", "--cluster dgx-h100 --ranks 16 --size 1MiB"},
      {"collective", "--check " TOFN_SOURCE_DIR "/tests/measurements/stas00-1x8-allreduce.txt "
                     "--cluster dgx-h100"},
  };
  for (const Question& question : questions) {
    const std::string request = question.command + ' ' + question.options;
    const Answer without = answer_of(request);
    REQUIRE(without.exit_code != 2);
    for (const std::string& option : options_of(question.command)) {
      INFO("tofn " << request << " --" << option);
      const bool is_requested =
          (' ' + request + ' ').find(" --" + option + ' ') != std::string::npos;
      const bool is_apart =
          std::find(question.apart.begin(), question.apart.end(), option) != question.apart.end();
      const bool is_positional = option == "job" || option == "model" || option == "cluster";
      if (is_requested || is_apart || (is_positional && question.command != "collective")) continue;
      if (option == "accelerators" && question.options.find("-N ") != std::string::npos) continue;
      const auto other = question.others.find(option);
      const bool is_other = other != question.others.end();
      REQUIRE((is_other || values.count(option) > 0));
      const Answer with = answer_of(request + " --" + option + ' ' +
                                    (is_other ? other->second : values.at(option)));
      const bool is_refused = with.exit_code == 2;
      CHECK((is_refused || with.rows != without.rows || with.reported != without.reported));
    }
  }
}

TEST_CASE("an option that is of another question is refused") {
  const std::vector<std::pair<std::string, std::string>> refused{
      {"collective --check a.log --size 1MiB",
       "--size: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --stride 2",
       "--stride: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --alone",
       "--alone: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --calibration h100-dell-2x8",
       "--calibration: changes nothing for measured collectives (--check)"},
      {"collective --check a.log --stack nemo", "--stack: changes nothing without --training"},
      {"collective --cluster dgx-h100 --ranks 8 --size 1MiB --alone",
       "--alone: changes nothing without --stride: the job has no other ranks"},
      {"step llama3-8b dgx-h100 --batch 8 --leave-one-out model",
       "--leave-one-out: changes nothing without --cases"},
      {"step --cases a.csv --tp 2", "--tp: changes nothing for a table of steps (--cases)"},
      {"predict llama3-8b dgx-h100 --tokens 1T --batch 8 --same-loss",
       "--same-loss: changes nothing: it is of a whole run whose batch is chosen"},
      {"predict llama3-8b dgx-h100 --measurement-of cost",
       "--measurement-of: changes nothing without --next-measurement"},
      {"predict llama3-8b dgx-h100 --sensitivity --next-measurement",
       "--next-measurement: is a table of its own: leave --sensitivity out"},
      {"plan llama3-8b dgx-h100 --tokens 1T --sensitivity --next-measurement",
       "--next-measurement: is a table of its own: leave --sensitivity out"},
      {"predict llama3-8b dgx-h100 --prompts 64", "--prompts: changes nothing without --rl"},
      {"predict bert dgx-h100 --steps-off 1", "--steps-off: changes nothing without --rl"},
      {"predict qwen3.5-397b-a17b-grpo gb300-nvl72 --steps-off 2",
       "--steps-off: is what run qwen3.5-397b-a17b-grpo says: leave it out"},
      {"predict bloom-176b-training dgx-a100 --rl grpo",
       "--rl: bloom-176b-training is a run without RL: name its model"},
      {"predict qwen3.5-397b-a17b-grpo gb300-nvl72 --tokens 1T",
       "--tokens: changes nothing for RL post-training (--rl): --prompts, --generations and the "
       "lengths say what a step is"},
      {"predict llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 --response-length 1060 "
       "--max-length 4096 --deadline 3d",
       "--deadline: is of a whole run: say how many steps it has (--rl-steps)"},
      {"scale qwen3.5-397b-a17b-grpo gb300-nvl72 -N 64,128",
       "qwen3.5-397b-a17b-grpo is a run of RL post-training: `tofn predict` and `tofn plan` answer "
       "for those"},
      {"predict llama3-8b dgx-h100 --rl grpo --tokens 1T",
       "--tokens: changes nothing for RL post-training (--rl): --prompts, --generations and the "
       "lengths say what a step is"},
      {"predict llama3-8b dgx-h100 --rl grpo --lora-rank 16",
       "--lora-rank: is not supported for RL post-training (--rl), which is answered without it"},
      {"predict llama3-8b dgx-h100 --rl grpo --memory-margin 5%",
       "--memory-margin: is not supported for RL post-training (--rl), which is answered without "
       "it"},
      {"predict llama3-8b dgx-h100 --rl grpo --same-loss",
       "--same-loss: changes nothing for RL post-training (--rl): --prompts, --generations and the "
       "lengths say what a step is"},
      {"plan llama3-8b dgx-h100 --rl grpo --sensitivity",
       "--sensitivity: is not supported for RL post-training (--rl), which is answered without it"},
      {"calibrate a.log -o a.yaml --tp 2",
       "--tp: changes nothing for measured collectives: it is for steps of training (--steps)"},
      {"calibrate --steps a.log --workload bert --cluster dgx-h100 --ranks 8 -o a.yaml",
       "--ranks: changes nothing for steps of a workload: --workload, -N, --tp, --cp and "
       "--grad-accum say what ran"},
      {"calibrate --steps a.log --model llama3-8b --cluster dgx-h100 --stack nemo --ranks 8 -o "
       "a.yaml",
       "--ranks: changes nothing for steps of a model: --model, its plan and -N say what ran"},
  };
  for (const auto& [arguments, message] : refused) check_refused(arguments, message);
}

TEST_CASE("options of whole runs are refused alike where RL post-training is of one step") {
  for (const std::string option :
       {"deadline 3d", "budget 100", "start-up 1h", "overrun published", "price 3",
        "price-term reserved_1y", "grid 100", "facility-factor 1.2", "failure-every 1h",
        "preemption-every 1h", "restart 10min", "checkpoint-cost 60s", "checkpoint-every 1h",
        "checkpoint-storage 40GB/s", "checkpoint-node-bandwidth 5GB/s", "checkpoint-mode async",
        "checkpoint-layout gathered"}) {
    const std::string flag = "--" + option.substr(0, option.find(' '));
    check_refused(
        "predict llama3-8b dgx-h100 --rl grpo --prompts 64 --generations 32 "
        "--response-length 1060 --max-length 4096 --" +
            option,
        flag + ": is of a whole run: say how many steps it has (--rl-steps)");
  }
}

TEST_CASE("what a plan asks for and does nothing at its sizes is told in the answer") {
  const std::vector<std::pair<std::string, std::string>> reported{
      {"--chunks 2", "--chunks does nothing here: it needs pp > 1"},
      {"--schedule zero-bubble", "--schedule does nothing here: it needs pp > 1"},
      {"--context-exchange all-gather", "--context-exchange does nothing here: it needs cp > 1"},
      {"--send-overlap on", "--send-overlap does nothing here: it needs pp > 1"},
      {"--sharp on", "SHARP does nothing here: no collective is fastest in the network's switches"},
      {"--kept-parameters fp8",
       "parameters kept in fp8 go with products in fp8 or fp4: products run in bf16, and "
       "parameters are kept as by default"},
  };
  for (const auto& [option, sentence] : reported)
    for (const std::string question : {"step llama3-8b dgx-h100 -N 8 --batch 8 ",
                                       "predict llama3-8b dgx-h100 -N 8 --batch 8 --tokens 1T ",
                                       "scale llama3-8b dgx-h100 -N 4,8 --batch 8 "}) {
      INFO(question << option);
      const Outcome outcome = run_program(question + option);
      CHECK_THAT(outcome.output, ContainsText("       " + sentence + '\n'));
    }
  // Gradients that are not sharded are all-reduced, which switches can do.
  CHECK_THAT(run_program("step llama3-8b dgx-h100 -N 64 --batch 64 --plan data-parallel "
                         "--micro-batch 1 --sharp on")
                 .output,
             !ContainsText("does nothing"));
  CHECK_THAT(run_program("predict bert dgx-h100 -N 8 --checkpoint-cost 100s").output,
             ContainsText("--checkpoint-cost does nothing here: the run ends before a checkpoint "
                          "is due"));
  const Outcome lost = run_program(
      "predict llama3-8b dgx-h100 -N 64 --tokens 1T --batch 512 --failure-every 5000h "
      "--checkpoint-every 1000d");
  CHECK_THAT(lost.output,
             ContainsText("no checkpoint is ever written, because the work takes less than "
                          "--checkpoint-every, so that each failure starts it anew"));
  CHECK_THAT(lost.output, !ContainsText("does nothing here"));
}

TEST_CASE("a search of all plans tries more than one of the usual") {
  const auto tried = [](const std::string& search) {
    const std::string output = run_program(
                                   "predict llama3-8b dgx-h100 -N 8 --batch 16 --tokens 1T "
                                   "--wide --search " +
                                   search)
                                   .output;
    const std::string before = "; the fastest of ";
    const std::size_t at = output.find(before);
    REQUIRE(at != std::string::npos);
    return tofn::parse_count(
               output.substr(at + before.size(), output.find(" plans", at) - at - before.size()))
        .value();
  };
  CHECK(tried("all") > tried("usual"));
}
