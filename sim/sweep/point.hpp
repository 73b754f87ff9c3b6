#pragma once

#include <cstdint>
#include <optional>

#include "sim/expense/expense.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/sweep/point_inputs.hpp"
#include "sim/sweep/repetition.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace sweep {

/// Stages of working out a point, cheapest first.
enum class Stage { Plan, Memory, Time, Expense, Interval, Reference };
inline constexpr std::size_t stage_count = 6;

/// One point of a sweep, with the results of the stages that were worked out.
struct Point {
  std::uint64_t number = 0;
  const Cluster* cluster = nullptr;
  const Model* model = nullptr;  ///< a point has either a model or a workload
  const Workload* workload = nullptr;
  const StackDefaults* framework_defaults = nullptr;  ///< models only
  Plan plan;
  bool plan_is_chosen = false;                ///< parts that are not stated are chosen; models only
  std::optional<RunDescription> description;  ///< workloads only
  Precision products = Precision::Bf16;       ///< workloads only; set with the times
  Footprint memory;                           ///< of the most loaded stage; models only
  bool fits = false;
  Flops model_flops;  ///< per sample; models only
  std::optional<StepTimes> times;
  AnsweredCollectives answered;                 ///< collectives of the step; set with the times
  std::optional<RunBreakdown> run;              ///< workloads only
  bool has_target = false;                      ///< of the run
  Joules energy_per_sample;                     ///< of a step, including the facility
  std::optional<Expense> expense;               ///< of the run; workloads only
  std::optional<double> throughput_efficiency;  ///< against the reference, per accelerator
  std::optional<double> speedup;                ///< over it: of the run, or of samples/s
  double growth = 1;  ///< growth of the number of accelerators since the reference
  std::optional<RunEstimate> estimate;   ///< of the whole run
  std::optional<Repetition> repetition;  ///< if set, nothing else is worked out

  double samples_per_second() const { return plan.global_batch() / times->total.base(); }
};
/// Substitutions for figures that the point's machine lacks, one sentence each.
std::vector<std::string> substitutions(const Point&);
/// Substitutions for collectives, one sentence each; none before the times are known.
std::vector<std::string> collective_substitutions(const Point&);

/// Works points out. Each thread has its own; equal points give equal results on every thread.
class PointMaker {
 public:
  explicit PointMaker(const SweepSources&);

  /// Plan of a point. InputError if it breaks a rule or if one of its inputs cannot be read.
  Point plan(std::uint64_t number);
  /// Results of the later stages, to be called in this order up to the stage needed. `by_engine`:
  /// by events instead of the closed form.
  void add_memory(Point&);
  void add_time(Point&, bool by_engine = false);
  void add_expense(Point&);
  void add_interval(Point&);
  void add_reference(Point&, bool by_engine = false);

 private:
  /// Axis that sets a part of the request, with its key, otherwise the value of the base.
  struct Setting {
    std::optional<PlacedAxis> axis;
    const RequestKey* key = nullptr;
    std::optional<int> base;
  };
  Setting setting(std::optional<std::string> Request::*) const;
  std::optional<int> number_of(const Setting&) const;
  Amount trained() const;
  RunCosts costs() const;
  void add_job(Point&);
  int accelerators_of(const Cluster&, const StatedPlan*) const;
  Point planned(std::uint64_t number, std::optional<int> reference);
  void plan_model(Point&, const StatedPlan& stated, int accelerators);
  void work_out_layers(Point&);
  void plan_workload(Point&, const StatedPlan*, int accelerators);
  void add_model_time(Point&, bool by_engine);
  void add_run_time(Point&);
  Run run_of(const Point&) const;
  RunEstimate paid(Run) const;

  const SweepSources& sources_;
  PointInputs inputs_;
  Positions positions_;
  Setting accelerators_, replicas_, batch_, replica_batch_, reference_, trains_;
  Repetitions repetitions_;
  PlanSteps* steps_ = nullptr;  ///< of the last planned model
  RankWork* rank_ = nullptr;    ///< of the last planned model
};

}  // namespace sweep
}  // namespace tofn
