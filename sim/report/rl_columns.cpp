#include "sim/report/rl_columns.hpp"

#include <functional>

#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"

namespace tofn {
inline namespace report {
namespace {

template <class Figure>
auto of_split(Figure figure) {
  return of_its(&RlLine::split, figure);
}
/// Figure of the step of a line, in seconds.
template <class Figure>
auto seconds_of(Figure figure) {
  return of_split(
      [figure](const RlSplit& split) { return std::invoke(figure, split.step).base(); });
}

}  // namespace

TableColumns<RlLine> rl_columns() {
  using Line = RlLine;
  const auto of_request = [](auto figure) { return of_its(&Line::request, figure); };
  const auto of_rl = [&](auto figure) { return of_request(of_its(&RlRequest::rl, figure)); };
  const auto of_point = [](auto figure) { return of_its(&Line::point, figure); };
  const auto of_rollout = [](auto figure) {
    return of_split(of_its(&RlSplit::step, &RlStep::rollout, figure));
  };
  const auto of_engine = [](auto figure) { return of_split(of_its(&RlSplit::engine, figure)); };
  const auto of_run = [](const char* head, double RunFigures::*figure) {
    return TableColumn<Line>(right(head, [figure](const Line& line) {
      const auto value =
          line.run() != nullptr ? line.run()->typical(figure_of(figure)) : std::nullopt;
      return value ? short_figure(*value) : std::string("-");
    }));
  };
  const auto interval_end = [](double Interval::*end) {
    return [end](const Line& line) {
      return line.run() != nullptr ? to_value(line.point->seconds().*end) : Value{};
    };
  };
  const auto size = [](const Line& line) {
    return fmt::format("{}{}", line.point->accelerators, line.point->fits ? "" : "!");
  };
  return {
      {"model", of_request(of_its(&RlRequest::model, &Model::name))},
      {"cluster", of_request(of_its(&RlRequest::cluster, &Cluster::name)), left("cluster")},
      {"algorithm", of_rl(&RlJob::algorithm), "algorithm of RL post-training"},
      {"accelerators", of_point(&RlPoint::accelerators), right("N", size)},
      {"generators", of_split(&RlSplit::generators), right("generate"),
       "accelerators that generate; all of them if the same ones train"},
      {"trainers", of_split(&RlSplit::trainers), right("train"), "accelerators that train"},
      {"engine_ranks", of_engine(&EngineLayout::ranks), right("of an engine"),
       "accelerators of one inference engine"},
      {"engine_attention",
       of_engine([](const EngineLayout& engine) { return std::string(name_of(engine.attention)); }),
       "attention of an engine: tp, whose ranks share its heads; dp, its sequences, beside whole "
       "experts"},
      {"engines", of_split(&RlSplit::engines), "inference engines side by side"},
      {"idle_generators", of_split(&RlSplit::idle),
       "generating accelerators that are left over where engines do not divide them"},
      {"prompts", of_rl(&RlJob::prompts), "prompts of one step"},
      {"generations", of_rl(&RlJob::generations), "responses to each prompt"},
      {"prompt_tokens", of_rl(&RlJob::prompt_tokens), "mean tokens of a prompt"},
      {"response_tokens", of_rl(&RlJob::response_tokens), "mean tokens of a response"},
      {"longest_tokens", of_rollout(&RolloutTimes::longest), "tokens of the longest response"},
      {"updates", of_rl(&RlJob::updates), "optimizer steps on the responses of one step"},
      {"steps_off", of_rl(&RlJob::age), right("steps off"), "age in steps that responses may have"},
      {"step_s", seconds_of(&RlStep::period), right("step s", short_figure)},
      {"step_s_low90", interval_end(&Interval::low), right("from", short_figure)},
      {"step_s_high90", interval_end(&Interval::high), right("to", short_figure)},
      {"rollout_s", seconds_of(&RlStep::generation), right("rollout s", short_figure),
       "time from the first prompt to the last response"},
      {"prefill_s", of_rollout([](const RolloutTimes& r) { return r.prefill.base(); }),
       "part of the rollout that reads prompts"},
      {"tail_s", of_rollout([](const RolloutTimes& r) { return r.tail.base(); }),
       "part of the rollout in which less than a tenth of the sequences live"},
      {"engine_busy_s", of_rollout([](const RolloutTimes& r) { return r.busy.base(); }),
       "time of the same tokens if every engine stays full"},
      {"sequences_at_once", of_rollout(&RolloutTimes::held),
       "sequences that one engine runs at once"},
      {"updates_s", seconds_of(&RlStep::updates), right("updates s", short_figure),
       "time of optimizer steps with their passes"},
      {"logprobs_s", seconds_of(&RlStep::logprobs), right("logprobs s", short_figure),
       "time of forward passes for log-probabilities of policy and reference"},
      {"refit_s", seconds_of(&RlStep::refit), right("refit s", short_figure),
       "time in which new weights reach the engines"},
      {"others_s", seconds_of(&RlStep::others), right("others s", short_figure),
       "time of moving states, of rewards and of buffers"},
      {"generators_wait_s", seconds_of(&RlStep::generators_wait),
       "time in a step in which the engines have nothing to generate"},
      {"trainers_wait_s", seconds_of(&RlStep::trainers_wait),
       "time in a step that the accelerators of training wait for responses"},
      {"tokens_per_s_each",
       [](const Line& line) { return line.split() ? to_value(line.speed()) : Value{}; },
       right("tokens/s each", short_figure)},
      {"limit", of_split([](const RlSplit& split) { return limit_of(split.step); }), left("limit"),
       "part that limits the step"},
      {"training_plan", of_split([](const RlSplit& split) { return plan_words(split.plan); }),
       "plan of the training side"},
      {"fits", of_split(&RlSplit::fits)},
      {"better_generators", of_its(&Line::better, &RlSplit::generators),
       "generators of another division that is clearly shorter"},
      {"better_step_s",
       of_its(&Line::better, [](const RlSplit& split) { return split.step.period().base(); }),
       "time of a step of the division that is clearly shorter"},
      {"shared_step_s",
       of_its(&Line::shared, [](const RlSplit& split) { return split.step.period().base(); }),
       "time of a step on policy with all accelerators generating and training, where clearly "
       "shorter"},
      {"substituted", of_point([](const RlPoint& p) { return substituted(p.substitutions); })},
      {"skipped_because", of_point([](const RlPoint& p) { return known(p.skipped_because); })},
      {"chance",
       [](const Line& line) {
         const auto& limits = line.request->limits;
         return line.run() != nullptr && !limits.empty() ? to_value(chance_of(*line.run(), limits))
                                                         : Value{};
       },
       right("chance %", percent), "chance that the run meets all limits"},
      of_run("days", &RunFigures::days),
      of_run("USD", &RunFigures::usd),
      of_run("kWh", &RunFigures::kilowatt_hours)};
}

}  // namespace report
}  // namespace tofn
