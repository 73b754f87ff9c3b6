#include "sim/rollout/rl_step.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

RlStep step_of(double generation, double busy, double training, RlPlacement placement) {
  return {
      .rollout = {.prefill = {}, .decode = Seconds{generation}, .tail = {}, .busy = Seconds{busy}},
      .refit = Seconds{},
      .logprobs = Seconds{},
      .updates = Seconds{training},
      .others = Seconds{},
      .placement = placement};
}

}  // namespace

TEST_CASE("sides that take turns add up") {
  CHECK(step_of(60, 30, 40, {.is_colocated = true}).period() == Seconds{100});
  CHECK(step_of(60, 30, 40, {.is_colocated = false, .steps_off = 0}).period() == Seconds{100});
}

TEST_CASE("steps off share a rollout and a training between them") {
  CHECK(step_of(60, 30, 40, {.is_colocated = false, .steps_off = 1}).period() == Seconds{50});
  CHECK(step_of(60, 30, 40, {.is_colocated = false, .steps_off = 8}).period() == Seconds{40});
  CHECK(step_of(60, 45, 40, {.is_colocated = false, .steps_off = 8}).period() == Seconds{45});
}

TEST_CASE("the side that is done waits for the other") {
  const RlStep bound_by_training = step_of(60, 30, 80, {.is_colocated = false, .steps_off = 1});
  CHECK(bound_by_training.period() == Seconds{80});
  // Each rollout generates for 60 of the 80 s until the next one begins.
  CHECK(bound_by_training.generators_wait() == Seconds{20});
  CHECK(bound_by_training.trainers_wait() == Seconds{0});
  const RlStep bound_by_length = step_of(60, 30, 40, {.is_colocated = false, .steps_off = 1});
  CHECK(bound_by_length.trainers_wait() == Seconds{10});
  CHECK(bound_by_length.generators_wait() == Seconds{0});  // two rollouts of 60 s in 100 s overlap
  const RlStep in_turn = step_of(60, 30, 40, {.is_colocated = false, .steps_off = 0});
  CHECK(in_turn.generators_wait() == Seconds{40});
}

TEST_CASE("sides that wait for each other limit a step in turn, whoever is on which accelerators") {
  CHECK(limit_of(step_of(60, 30, 40, {.is_colocated = true})) == "both in turn");
  CHECK(limit_of(step_of(60, 30, 40, {.is_colocated = false, .steps_off = 0})) == "both in turn");
  CHECK(limit_of(step_of(60, 30, 40, {.is_colocated = false, .steps_off = 1})) ==
        "longest responses");
  CHECK(limit_of(step_of(60, 55, 40, {.is_colocated = false, .steps_off = 1})) == "generation");
  CHECK(limit_of(step_of(60, 30, 80, {.is_colocated = false, .steps_off = 1})) == "training");
}

TEST_CASE("a step of training is what passes take, by the kind of model") {
  const TrainingPasses passes{.updates = Seconds{10}, .logprobs = Seconds{5}};
  const RlFigures figures{.dense_slowdown = 2,
                          .mixture_slowdown = 3,
                          .mixture_branch = Seconds{0.5},
                          .for_parameter = Seconds{1e-9},
                          .host = {}};
  const Decoder dense{.parameters = 4e9};
  const RlStep step = rl_step({}, passes, dense, figures, {});
  CHECK(step.updates == Seconds{20});
  CHECK(step.logprobs == Seconds{10});
  CHECK(step.others.base() == Approx(4));
  CHECK(step.refit.base() == Approx(2.08));
  Decoder mixture = dense;
  mixture.experts = {{.layers = 1, .parameters = 1, .routing = {.experts = 2}}};
  CHECK(rl_step({}, passes, mixture, figures, {}).updates == Seconds{30});
  TrainingPasses launched = passes;
  launched.update_branches = 100;
  CHECK(rl_step({}, launched, mixture, figures, {}).updates == Seconds{50});
  CHECK(rl_step({}, launched, dense, figures, {}).updates == Seconds{20});
}
