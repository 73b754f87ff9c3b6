#include "sim/report/rl_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"

namespace tofn {
inline namespace report {
namespace {

struct RlLine {
  const RlRequest* request;
  const RlPoint* point;

  const RlSplit* split() const { return point->split ? &*point->split : nullptr; }
  const RlSplit* better() const { return point->better ? &*point->better : nullptr; }
  double speed() const { return point->tokens_per_second_each(*request); }
};

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

TableColumns<RlLine> rl_columns() {
  using Line = RlLine;
  const auto seconds = [](double value) { return short_figure(value); };
  const auto of_request = [](auto figure) { return of_its(&Line::request, figure); };
  const auto of_point = [](auto figure) { return of_its(&Line::point, figure); };
  const auto of_rollout = [](auto figure) {
    return of_split(of_its(&RlSplit::step, &RlStep::rollout, figure));
  };
  const auto of_engine = [](auto figure) { return of_split(of_its(&RlSplit::engine, figure)); };
  return {
      {"model", of_request(of_its(&RlRequest::model, &Model::name))},
      {"cluster", of_request(of_its(&RlRequest::cluster, &Cluster::name))},
      {"algorithm", of_request(&RlRequest::algorithm), "of RL post-training"},
      {"accelerators", of_point(&RlPoint::accelerators), right("N")},
      {"generators", of_split(&RlSplit::generators), right("generate"),
       "accelerators that generate; all of them if the same ones train"},
      {"trainers", of_split(&RlSplit::trainers), right("train"), "accelerators that train"},
      {"engine_ranks", of_engine(&EngineLayout::ranks), right("of an engine"),
       "accelerators of one inference engine"},
      {"engines", of_split(&RlSplit::engines), "inference engines side by side"},
      {"prompts", of_request(&RlRequest::prompts), "prompts of one step"},
      {"generations", of_request(&RlRequest::generations), "responses to each prompt"},
      {"prompt_tokens", of_request(&RlRequest::prompt_tokens), "mean tokens of a prompt"},
      {"response_tokens", of_request(of_its(&RlRequest::lengths, &ResponseLengths::mean)),
       "mean tokens of a response"},
      {"longest_tokens", of_rollout(&RolloutTimes::longest), "tokens of the longest response"},
      {"updates", of_request(&RlRequest::updates), "optimizer steps on the responses of one step"},
      {"steps_off", of_request(&RlRequest::age), "age in steps that responses may have"},
      {"step_s", seconds_of(&RlStep::period), right("step s", seconds)},
      {"step_s_low90", of_point(of_its(&RlPoint::seconds, &Interval::low)), right("from", seconds)},
      {"step_s_high90", of_point(of_its(&RlPoint::seconds, &Interval::high)), right("to", seconds)},
      {"rollout_s", seconds_of(&RlStep::generation), right("rollout s", seconds),
       "from the first prompt to the last response"},
      {"prefill_s", of_rollout([](const RolloutTimes& r) { return r.prefill.base(); }),
       "part of the rollout that reads prompts"},
      {"tail_s", of_rollout([](const RolloutTimes& r) { return r.tail.base(); }),
       "part of the rollout in which less than a tenth of the sequences live"},
      {"engine_busy_s", of_rollout([](const RolloutTimes& r) { return r.busy.base(); }),
       "time of the same tokens if every engine stays full"},
      {"sequences_at_once", of_rollout(&RolloutTimes::held),
       "sequences that one engine runs at once"},
      {"updates_s", seconds_of(&RlStep::updates), right("updates s", seconds),
       "optimizer steps with their passes"},
      {"logprobs_s", seconds_of(&RlStep::logprobs), right("logprobs s", seconds),
       "forward passes for log-probabilities of policy and reference"},
      {"refit_s", seconds_of(&RlStep::refit), right("refit s", seconds),
       "new weights to the engines"},
      {"others_s", seconds_of(&RlStep::others), right("others s", seconds),
       "states moved, reward, buffers"},
      {"generators_wait_s", seconds_of(&RlStep::generators_wait),
       "time in a step that generators are idle"},
      {"trainers_wait_s", seconds_of(&RlStep::trainers_wait),
       "time in a step that trainers are idle"},
      {"tokens_per_s_each",
       [](const Line& line) { return line.split() ? to_value(line.speed()) : Value{}; },
       right("tokens/s each", seconds)},
      {"limit", of_split([](const RlSplit& split) { return limit_of(split.step); }), left("limit"),
       "what the step rests on"},
      {"training_plan", of_split([](const RlSplit& split) { return plan_words(split.plan); }),
       "plan of the training side"},
      {"fits", of_split(&RlSplit::fits)},
      {"better_generators", of_its(&Line::better, &RlSplit::generators),
       "generators of another division that is clearly shorter"},
      {"better_step_s",
       of_its(&Line::better, [](const RlSplit& split) { return split.step.period().base(); }),
       "step of that division"},
      {"time_s",
       [](const Line& line) {
         return line.split() && line.request->steps
                    ? to_value(*line.request->steps * line.split()->step.period().base())
                    : Value{};
       },
       "time of the steps of --rl-steps"},
      {"substituted", of_point([](const RlPoint& p) { return substituted(p.substitutions); })},
      {"skipped_because", of_point([](const RlPoint& p) { return known(p.skipped_because); })}};
}

std::vector<RlLine> rl_lines(const RlRequest& request, const RlAnswer& answer) {
  std::vector<RlLine> lines;
  for (const RlPoint& point : answer.points) lines.push_back({&request, &point});
  return lines;
}

std::string placement_words_of(const RlSplit& split) {
  if (split.step.placement.is_colocated)
    return fmt::format("on policy; all {} generate, then train", split.generators);
  return fmt::format("{}; {} generate beside {} that train",
                     split.step.placement.steps_off == 0
                         ? "on policy"
                         : fmt::format("{} step{} off", split.step.placement.steps_off,
                                       split.step.placement.steps_off == 1 ? "" : "s"),
                     split.generators, split.trainers);
}

std::string rl_parts_text(const RlStep& step) {
  const std::array<std::pair<const char*, Seconds>, 5> parts{
      {{"rollout", step.generation()},
       {"updates of the optimizer", step.updates},
       {"log-probabilities", step.logprobs},
       {"states, reward, buffers", step.others},
       {"weights to the engines", step.refit}}};
  Seconds longest;
  for (const auto& [name, time] : parts) longest = std::max(longest, time);
  std::string text;
  constexpr double width = 28;
  for (const auto& [name, time] : parts)
    text += note(text.empty() ? "parts" : "",
                 fmt::format("{:<25} {:>9}  {}", name, time_words(time),
                             std::string(static_cast<std::size_t>(
                                             std::max(1.0, std::round(width * (time / longest)))),
                                         '#')));
  return text;
}

std::string rl_rollout_text(const RlRequest& request, const RlSplit& split) {
  const RolloutTimes& rollout = split.step.rollout;
  std::string text = fmt::format(
      "{} responses of {:g} tokens, the longest {:.0f}, to prompts of {:g}, on {} engine{} of {}; "
      "{:.0f} at once in "
      "each",
      count_text(request.responses()), request.lengths.mean, rollout.longest, request.prompt_tokens,
      split.engines, split.engines == 1 ? "" : "s", split.engine.ranks, rollout.held);
  if (rollout.waves > 1) text += fmt::format(", {:.1f} waves", rollout.waves);
  if (rollout.tail > 0.01 * rollout.decode)
    text += fmt::format("; the last tenth of them takes {}", time_words(rollout.tail));
  return note("rollout", text);
}

std::string rl_limit_text(const RlStep& step) {
  if (step.placement.is_colocated)
    return note("limit", fmt::format("both sides take turns: the rollout is {:.0f} % of the step",
                                     100 * (step.generation() / step.period())));
  std::string text(limit_of(step));
  if (const Seconds wait = step.generators_wait(); wait > 0.05 * step.period())
    text += fmt::format("; generators wait {} of each step", time_words(wait));
  if (const Seconds wait = step.trainers_wait(); wait > 0.05 * step.period())
    text += fmt::format("; trainers wait {} of each step", time_words(wait));
  return note("limit", text);
}

std::string rl_better_text(const RlPoint& point) {
  if (!point.better) return {};
  const RlSplit& better = *point.better;
  return note("try", fmt::format("--steps-off {} --generators {}: {} a step, {:.2f} x as fast",
                                 better.step.placement.steps_off, better.generators,
                                 time_words(better.step.period()),
                                 point.split->step.period() / better.step.period()));
}

std::string rl_assumed_text(const RlRequest& request, const std::string& before = {}) {
  return before +
         listed_note(before.empty() ? "assumed" : "",
                     {fmt::format("response lengths spread log-normally by {:g} (--length-spread)",
                                  request.lengths.spread),
                      "a reward that takes no time",
                      fmt::format("engines take {:g} of the memory beside training and {:g} alone",
                                  memory_share_beside_training, memory_share_alone),
                      "figures of other models' RL steps (tofn validate rl)"});
}

std::string rl_point_text(const RlRequest& request, const RlPoint& point) {
  const RlSplit& split = *point.split;
  const RlStep& step = split.step;
  const double speed = point.tokens_per_second_each(request);
  std::string text = fmt::format("{} on {} x {} ({}), GRPO: {} a step\n\n", request.model.name,
                                 point.accelerators, request.cluster.accelerator.name,
                                 request.cluster.name, time_words(step.period()));
  text += fact_line("step", time_words(step.period()),
                    time_range_words(point.seconds, step.period()), placement_words_of(split));
  text += fact_line(
      "speed", short_figure(speed) + " tokens/s each",
      fmt::format("{} to {}", short_figure(speed * (step.period().base() / point.seconds.high)),
                  short_figure(speed * (step.period().base() / point.seconds.low))),
      "of prompts and responses");
  if (request.steps)
    text += fact_line(
        "run", time_words(*request.steps * step.period()),
        time_range_words({*request.steps * point.seconds.low, *request.steps * point.seconds.high},
                         *request.steps * step.period()),
        fmt::format("{} steps", count_text(*request.steps)));
  text += '\n' + rl_parts_text(step) + '\n' + rl_rollout_text(request, split);
  text += note(
      "training",
      fmt::format("{} update{} of {:g} responses: {}{}", request.updates,
                  request.updates == 1 ? "" : "s", std::ceil(request.responses() / request.updates),
                  plan_words(split.plan), split.fits ? "" : "; DOES NOT FIT the memory"));
  return text + rl_limit_text(step) + rl_better_text(point) +
         rl_assumed_text(request, substitutions_text(point.substitutions)) +
         listed_note("next", {"--steps-off 1", "--generators G", "--engine-tp R", "--rl-steps S",
                              "--details"});
}

}  // namespace

AnswerText rl_text(const RlRequest& request, const RlAnswer& answer) {
  const auto lines = rl_lines(request, answer);
  if (lines.size() == 1)
    return {.screen = rl_point_text(request, answer.points.front()),
            .details = table_text(rl_columns(), lines)};
  return {.screen =
              fmt::format("{} on {}, GRPO\n\n", request.model.name, request.cluster.name) +
              table_text(rl_columns(), lines, {"updates s", "logprobs s", "refit s", "others s"}) +
              '\n' + rl_assumed_text(request),
          .details = table_text(rl_columns(), lines)};
}

ExplainedRecords rl_records(const RlRequest& request, const RlAnswer& answer) {
  return records_of(rl_columns(), rl_lines(request, answer));
}

}  // namespace report
}  // namespace tofn
