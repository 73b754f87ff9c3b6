#include "sim/config/load_run.hpp"

#include <filesystem>
#include <string>

#include "sim/yaml/named_file.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

StatedRun run_from(const std::string& text) {
  return load_run(TemporaryFile("run.yaml", "name: a\nmodel: llama3-8b\n" + text).path(), configs);
}

/// Message that refuses the file, without its name.
std::string load_run_refusal_of(const std::string& text) {
  const TemporaryFile file("run.yaml", "name: a\nmodel: llama3-8b\n" + text);
  const std::string whole = refusal([&] { load_run(file.path(), configs); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

}  // namespace

TEST_CASE("one phase takes what the others leave, whatever its samples hold") {
  const StatedRun run = run_from(
      "trains: 1T tokens\n"
      "phases:\n"
      "  - {trains: 252M tokens, batch: 4M tokens, sequence_length: 4096}\n"
      "  - {name: main, batch: 8M tokens}\n"
      "  - {trains: 1000 steps, sequence_length: 131072, batch: 64 samples}\n");
  REQUIRE(run.phases.size() == 3);
  CHECK_THAT(run.tokens(), WithinRel(1e12, 1e-12));
  CHECK(run.phases[0].last_batch() == 1024);
  CHECK_THAT(run.phases[0].samples(), WithinRel(252e6 / 4096, 1e-12));
  CHECK(run.phases[1].name == "main");
  CHECK(run.phases[1].last_batch() == 1024);  // samples of 8192 tokens
  const double rest = 1e12 - 252e6 - 64e3 * 131072;
  CHECK_THAT(run.phases[1].samples() * 8192, WithinRel(rest, 1e-12));
  CHECK(run.phases[2].model.sequence_length == 131072);
  CHECK(run.phases[2].samples() == 64e3);
}

TEST_CASE("a batch grows by equal stretches, then stays") {
  const StatedRun run = run_from(
      "trains: 10M samples\nphases:\n  - batch: {from: 32 samples, by: 16 samples, to: 96 samples, "
      "over: 1M samples}\n");
  const auto& stretches = run.phases[0].stretches;
  REQUIRE(stretches.size() == 5);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(stretches[i].batch == 32 + 16.0 * static_cast<double>(i));
    CHECK(stretches[i].samples == 250e3);
  }
  CHECK(stretches[4].batch == 96);
  CHECK(stretches[4].samples == 9e6);
}

TEST_CASE("a batch may grow in one step") {
  const StatedRun run = run_from(
      "trains: 10M samples\nphases:\n  - batch: {from: 32 samples, by: 32 samples, to: 64 samples, "
      "over: 1M samples}\n");
  const auto& stretches = run.phases[0].stretches;
  REQUIRE(stretches.size() == 2);
  CHECK(stretches[0].samples == 1e6);
  CHECK(stretches[1].batch == 64);
}

TEST_CASE("epochs and a workload's target say how much is trained") {
  CHECK(run_from("epoch: 1M samples\ntrains: 3 epochs\nphases:\n  - batch: 512 samples\n")
            .samples() == 3e6);
  // Batch 32 is a reference point of the workload.
  const StatedRun target = run_from("target: llama31_8b\nphases:\n  - batch: 32 samples\n");
  CHECK_THAT(target.samples(), WithinRel(178858.6667, 1e-6));
  // The critical batch is fitted to the workload's points: a line through the first two gives 129,
  // and one through the last two 88.
  REQUIRE(target.critical_batch);
  CHECK(target.critical_batch->of == Counted::Samples);
  CHECK_THAT(target.critical_batch->value, WithinAbs(108, 27));
}

TEST_CASE("plans of phases state rows above the run's") {
  const StatedRun run = run_from(
      "trains: 1T tokens\nplan: {tensor_parallel: 4, micro_batch: 2}\nphases:\n"
      "  - {trains: 1B tokens, batch: 4M tokens}\n"
      "  - {batch: 4M tokens, plan: {context_parallel: 2}, most_accelerators: 64}\n");
  const StatedPlan& first = run.phases[0].plan;
  const StatedPlan& second = run.phases[1].plan;
  CHECK((first.fixes("tp") && first.fixes("micro_batch")));
  CHECK_FALSE((first.fixes("cp") || first.fixes("pp")));
  CHECK(second.fixes("tp"));
  CHECK(second.split.tensor_parallel_size == 4);
  CHECK(second.split.context_parallel_size == 2);
  CHECK(run.phases[1].most_accelerators == 64);
  CHECK_FALSE(run.phases[0].most_accelerators);
}

TEST_CASE("what goes on beside the steps is read") {
  const StatedRun run = run_from(
      "trains: 1T tokens\nstart_up: 2 min\ncritical_batch: 20M tokens\nphases:\n"
      "  - batch: 4M tokens\n"
      "evaluation: {every: 1k steps, takes: 512 samples}\n"
      "input: {samples_per_s_of_a_node: 200}\n"
      "failures: {every: 10000 h, restart: 5 min}\n"
      "checkpoints: {every: 1 h, takes: 30 s}\n");
  CHECK(run.start_up == Seconds{120});
  CHECK(run.critical_batch == Amount{20e6, Counted::Tokens});
  CHECK(run.evaluation.every == Amount{1000, Counted::Steps});
  CHECK(run.evaluation.takes == Amount{512, Counted::Samples});
  CHECK(run.input_rate == 200);
  CHECK(run.interruptions.time_to_failure == Seconds{36e6});
  CHECK(run.interruptions.restart == Seconds{300});
  CHECK(run.interruptions.checkpoint_every == Seconds{3600});
  CHECK(run.interruptions.checkpoint == Seconds{30});
}

TEST_CASE("phases that cannot add up are refused where they stand") {
  CHECK(load_run_refusal_of("phases:\n  - batch: 4M tokens\n") ==
        ":4:5: phases: missing key 'trains': the run does not say it either");
  CHECK(
      load_run_refusal_of("trains: 1B tokens\nphases:\n  - {trains: 2B tokens, batch: 4M tokens}\n"
                          "  - trains: 1B tokens\n") ==
      ":3:9: trains: is what the phases say: leave it out of one of them");
}

TEST_CASE("every run that ships trains what its source says") {
  for (const auto& file : files_in(configs, "runs")) {
    INFO(file);
    const StatedRun run = load_run(file, configs);
    CHECK(run.name == file.stem().string());
    CHECK_FALSE(run.title.empty());
  }
  CHECK_THAT(find_run(configs, "bloom-176b-training").tokens(), WithinRel(366e9, 1e-12));
  CHECK_THAT(find_run(configs, "llama3-405b-pretraining").tokens(), WithinRel(15.6e12, 1e-12));
  // The run trains 14.8T tokens, and a thousand steps each of 1920 x 32,768 and 480 x 131,072
  // tokens.
  CHECK_THAT(find_run(configs, "deepseek-v3-pretraining").tokens(),
             WithinRel(14.8e12 + 2 * 62.91456e9, 1e-12));
  // 18 steps of 16 x 16 conversations of 25,000 tokens.
  CHECK_THAT(find_run(configs, "qwen3.5-397b-a17b-grpo").tokens(), WithinRel(115.2e6, 1e-12));
}

namespace {

const std::string rl_phase =
    "phases:\n  - rl: {algorithm: grpo, steps: 18, prompts: 16, generations: 16, prompt_length: "
    "200, response_length: 800, max_length: 4096, updates: 4";

}  // namespace

TEST_CASE("a run of RL trains the responses of its steps") {
  const StatedRun run = run_from(rl_phase + ", steps_off: 1, engine_tp: 8, reference: false}\n");
  REQUIRE(run.phases.front().rl);
  const RlJob& rl = *run.phases.front().rl;
  CHECK(rl.responses() == 256);
  CHECK(rl.steps == 18);
  CHECK(rl.lengths().cap == 3896);
  CHECK(rl.age() == 1);
  CHECK_FALSE(rl.has_reference);
  CHECK(run.samples() == 18 * 256);
  CHECK(run.tokens() == 18 * 256 * 1000);
  CHECK(run.phases.front().last_batch() == 64);
}

TEST_CASE("lengths of RL are read in files as their options read them") {
  const RlJob rl = *run_from(
                        "phases:\n  - rl: {algorithm: grpo, steps: 18, prompts: 16, "
                        "generations: 16, prompt_length: 1k, response_length: 4k, "
                        "max_length: 32K}\n")
                        .phases.front()
                        .rl;
  CHECK(rl.prompt_tokens() == 1024);
  CHECK(rl.response_tokens == 4096);
  CHECK(rl.longest_tokens == 32768);
  CHECK_THAT(
      load_run_refusal_of("phases:\n  - rl: {algorithm: grpo, steps: 18, prompts: 16, "
                          "generations: 16, response_length: 4kB, max_length: 32k}\n"),
      ContainsText("response_length: expected tokens from 1 to 16777216, such as 8192, 8k (8 "
                   "x 1024) or 1M (1024 x 1024), got '4kB'"));
}

TEST_CASE("a run of RL that contradicts itself is refused at the place of it") {
  CHECK_THAT(load_run_refusal_of("phases:\n  - rl: {algorithm: grpo, steps: 18, prompts: 16, "
                                 "generations: 16, response_length: 800, max_length: 4096, "
                                 "updates: 3}\n"),
             ContainsText("updates: 3 do not share 256 responses equally: 2 or 4 would"));
  CHECK(load_run_refusal_of(rl_phase + "}\n    batch: 4M tokens\n") ==
        ":5:12: phases.batch: does nothing beside 'rl', which says what is trained");
  CHECK(load_run_refusal_of(rl_phase + "}\n  - {trains: 1T tokens, batch: 4M tokens}\n") ==
        ":4:5: phases: RL post-training is a run of its own: leave the other phases out");
  CHECK_THAT(load_run_refusal_of("phases:\n  - rl: {algorithm: ppo}\n"),
             ContainsText("algorithm: unknown value 'ppo'"));
  CHECK_THAT(load_run_refusal_of(
                 "phases:\n  - rl: {algorithm: grpo, steps: 18, prompts: 16, generations: 16, "
                 "response_length: 800, max_length: 900}\n"),
             ContainsText("max_length: leaves 780 tokens beside a prompt of 120: fewer than a mean "
                          "response of 800"));
  CHECK_THAT(load_run_refusal_of("phases:\n  - rl: {algorithm: grpo, steps: 10.5, prompts: 16, "
                                 "generations: 16, response_length: 800, max_length: 4096}\n"),
             ContainsText("phases.rl.steps: must be a whole number"));
  CHECK_THAT(load_run_refusal_of(rl_phase + ", engine_tp: 3}\n"),
             ContainsText("engine_tp: 3 does not divide 32 heads of the model; valid sizes: 1, 2, "
                          "4, 8, 16, 32"));
  CHECK_THAT(load_run_refusal_of(rl_phase + "}\ninput: {samples_per_s_of_a_node: 3}\n"),
             ContainsText("does nothing in RL post-training"));
}
