#include "sim/report/rl_report.hpp"

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A step of 2048 responses on 16 accelerators.
RlRequest step_of(RlJob job) {
  Library library = Library::load(configs);
  job.response_tokens = 1060;
  job.longest_tokens = 4096;
  RlRequest request;
  request.rl = job;
  request.model = find_model(configs, "llama3-8b");
  request.cluster = library.cluster("dgx-h100");
  request.profile = find_kernel_profile(configs, "unknown");
  request.sizes = {16};
  return request;
}

std::string screen_of(const RlJob& job) {
  const RlRequest request = step_of(job);
  return rl_text(request, rl_answer(request)).screen;
}

}  // namespace

TEST_CASE("a division that is stated is told one of staler responses, unless their age is stated") {
  RlJob job{.prompts = 64, .generations = 32, .updates = 4, .generators = 8};
  const std::string text = screen_of(job);
  INFO(text);
  CHECK_THAT(text, ContainsText("on policy; 8 generate beside 8 that train"));
  CHECK_THAT(text, ContainsText("\ntry           --steps-off 1 --generators 8: "));
  job.steps_off = 0;
  CHECK_THAT(screen_of(job), !ContainsText("--steps-off 1 --generators"));
}

TEST_CASE("what is stated of an RL step is not assumed") {
  RlJob job{.prompts = 8, .generations = 4};
  const std::string assumed = screen_of(job);
  for (const char* option : {"(--length-spread)", "(--prompt-length)", "(--max-sequences)"})
    CHECK_THAT(assumed, ContainsText(option));
  job.stated_prompt_tokens = 120;
  job.stated_spread = 0.6;
  job.stated_sequences = 256;
  const std::string stated = screen_of(job);
  for (const char* option : {"(--length-spread)", "(--prompt-length)", "(--max-sequences)"})
    CHECK_THAT(stated, !ContainsText(option));
  CHECK_THAT(stated, ContainsText("response lengths that spread log-normally"));
  job.stated_spread = 0;
  CHECK_THAT(screen_of(job), !ContainsText("spread log-normally"));
}

TEST_CASE("one response is one response") {
  const std::string text = screen_of({.prompts = 1, .generations = 1});
  INFO(text);
  CHECK_THAT(text, ContainsText("rollout       1 response of 1060 tokens, the longest 1060, to "));
  CHECK_THAT(text, ContainsText("1 update of 1 response: "));
}
