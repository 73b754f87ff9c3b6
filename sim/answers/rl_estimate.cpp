#include "sim/answers/rl_estimate.hpp"

#include <memory>
#include <utility>

#include "sim/simulation/dimensioned_step.hpp"
#include "sim/simulation/step_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// A period of RL as the step of a run: what it generates and trains takes a known time with the
/// uncertainty of measured periods. Forward passes and work are those of an update.
class RlPeriod final : public StepSource {
 public:
  RlPeriod(const RlRequest& request, int accelerators, const RlSplit& split, SimulatedStep update)
      : request_(request),
        accelerators_(accelerators),
        split_(split),
        update_(std::move(update), request_.profile),
        uncertain_(StepResponses::of_measured(rl_step_deviation)) {
    times_.total = times_.parts[static_cast<std::size_t>(StepPart::Compute)] = split.step.period();
    times_.bases = uniform_bases(Basis::Assumed);
    work_.sequence_length = request.rl.sample_tokens();
  }

  const Plan& plan() const override { return update_.plan(); }
  const Cluster& cluster() const override { return update_.cluster(); }
  PlacedJob job() const override { return accelerators_; }
  double samples() const override { return request_.rl.responses(); }
  const StepWork& work() const override { return update_.work(); }
  StepTimes times(const StepPerturbation& by) const override {
    return scaled(times_, uncertain_.factor(by));
  }
  Seconds forward_pass(double samples, double passes, const StepPerturbation& by) const override {
    return update_.forward_pass(samples, passes, by);
  }
  StepSpreads spreads() const override { return uncertain_.spreads(); }
  SampleWork sample_work() const override { return work_; }
  FlopsPerSecond peak() const override { return update_.peak(); }
  Activity activity() const override { return split_.activity; }
  std::shared_ptr<const StepSource> on(const Cluster& cluster,
                                       const KernelProfile& stack) const override {
    RlRequest moved = request_;
    moved.cluster = cluster;
    moved.profile = stack;
    return std::make_shared<RlPeriod>(
        moved, accelerators_, moved_split(moved, split_),
        simulate_step(update_.simulated()->model, plan(), cluster, stack));
  }

 private:
  RlRequest request_;
  int accelerators_;
  RlSplit split_;
  DimensionedStep update_;
  StepResponses uncertain_;
  StepTimes times_{};
  SampleWork work_{};  ///< its tokens alone
};

/// Time before the first period: the start-up, and the rollout that fills the buffer of a job whose
/// responses are steps off.
Seconds time_before_steps(const RlRequest& request, const RlStep& step) {
  if (request.is_one_step()) return {};
  return request.start_up + (step.placement.steps_off > 0 ? step.generation() : Seconds{});
}

}  // namespace

RunEstimate rl_estimate(const RlRequest& request, int accelerators, const RlSplit& split,
                        const SimulatedStep& training) {
  const double steps = request.rl.steps.value_or(1);
  const RunStretch stretch{
      .step = std::make_shared<const RlPeriod>(request, accelerators, split, training),
      .samples = steps * request.rl.responses()};
  RunEstimate all =
      estimate({.stretches = {stretch},
                .start_up = {.value = time_before_steps(request, split.step).base()},
                .expenses = with_checkpoint_times(request.expenses, training),
                .grid_intensity = request.grid_intensity,
                .overrun = request.is_one_step() ? no_overrun : request.overrun.with(true),
                .is_one_step = request.is_one_step()});
  all.expected.memory_gigabytes = all.typical_figures.memory_gigabytes =
      training.memory[training.tightest()].total().base() / 1e9;
  all.unknown = {&RunFigures::mfu_6n,
                 &RunFigures::mfu,
                 &RunFigures::hfu,
                 &RunFigures::evaluation_seconds,
                 &RunFigures::evaluations,
                 &RunFigures::evaluation_each_seconds,
                 &RunFigures::input_seconds,
                 &RunFigures::score_minutes,
                 &RunFigures::batch_price,
                 &RunFigures::petaflop_per_second_days,
                 &RunFigures::score_scaling_seconds};
  return all;
}

}  // namespace answers
}  // namespace tofn
