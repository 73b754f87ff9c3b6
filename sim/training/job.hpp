#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/expense/expense.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/amount.hpp"
#include "sim/training/job_draws.hpp"

// A job of a model from its dimensions: how long it trains, and what that costs.

namespace tofn {
inline namespace training {

/// From the first command to the first step of a job that was started well: 361 s on 2,048
/// accelerators with Megatron-LM before it was mended, below 30 s after (MegaScale, arXiv
/// 2402.15627); assumed between.
inline constexpr Seconds usual_start_up = Seconds(5 * 60.0);
/// Grams of CO2 equivalents of a kWh: the world's mean of 2023 (Ember, Global Electricity Review
/// 2024).
inline constexpr double usual_grid_intensity = 480;

/// Evaluations while a job trains: forward passes over so much, every so much that it trained.
struct JobEvaluation {
  std::optional<Amount> every{};  ///< absent: none
  Amount takes{};
};

/// A stretch of a job whose steps are alike.
struct JobPhase {
  SimulatedStep step;
  double samples = 0;       ///< that it trains
  std::size_t part_of = 0;  ///< phase of the run, which may ramp its batch
};

struct Job {
  std::vector<JobPhase> phases;  ///< in their order; at least one
  JobEvaluation evaluation{};
  std::optional<double> input_rate{};  ///< samples/s that a node reads; absent: enough
  Seconds start_up = usual_start_up;
  ExpenseOptions expenses{};
  double grid_intensity = usual_grid_intensity;  ///< g/kWh
  std::optional<Amount> critical_batch{};        ///< absent: what a batch costs is not known
  Overrun overrun = no_overrun;                  ///< that the whole run is drawn with
};

/// Arithmetic of one sample over all ranks that share it.
struct SampleWork {
  Flops model;
  Flops hardware;  ///< what backward computes again included
  Flops forward;
  double parameter_flops = 0;  ///< of a token: 6 of each that it goes through, 4 of frozen ones
};
SampleWork sample_work(const SimulatedStep&);

/// What is known of a job; each figure follows from the others as its row in `job_figures` says.
struct JobFigures {
  double step_seconds = 0;  ///< mean over its steps, as are all rates
  double steps = 0;
  double samples = 0;
  double tokens = 0;  ///< 0 where samples are no texts
  double samples_per_second = 0;
  double tokens_per_second = 0;
  double tokens_per_second_each = 0;  ///< of one accelerator
  double mfu_6n = 0;
  double mfu = 0;
  double hfu = 0;
  double training_seconds = 0;
  double evaluation_seconds = 0;
  double input_seconds = 0;
  double start_up_seconds = 0;
  double lost_seconds = 0;
  double seconds = 0;
  double days = 0;
  double goodput = 0;
  double accelerator_hours = 0;
  double kilowatt_hours = 0;
  double co2_tonnes = 0;
  double usd = 0;  ///< 0: no price is known
  double memory_gigabytes = 0;
  double batch_price = 0;  ///< 0: not known
};

/// How people read a figure: `2T`, `41.2 %`, or by its digits.
enum class FigureKind { Count, Share, Plain };
/// What a figure is no firmer than. `Run`: on its whole time; `Losses`: on what that loses.
enum class RestsOn { Request, Step, Run, Price, Power, Losses, Assumption };

/// A row of an answer: what a figure is called, in which unit, and how it follows.
struct JobFigure {
  std::string_view name;  ///< of a column, with its unit
  std::string_view title;
  std::string_view definition;
  double JobFigures::*value;
  RestsOn rests_on = RestsOn::Step;
  FigureKind kind = FigureKind::Plain;
  std::string_view head{};  ///< of its column where people read sizes; empty: it has none
};
inline constexpr std::array job_figures{
    JobFigure{"step_s", "step s", "mean over all steps", &JobFigures::step_seconds, RestsOn::Step,
              FigureKind::Plain, "step s"},
    JobFigure{"steps", "steps", "samples / global batch", &JobFigures::steps, RestsOn::Request,
              FigureKind::Count},
    JobFigure{"samples", "samples", "that it trains", &JobFigures::samples, RestsOn::Request,
              FigureKind::Count},
    JobFigure{"tokens", "tokens", "samples x sequence length", &JobFigures::tokens,
              RestsOn::Request, FigureKind::Count, "tokens"},
    JobFigure{"samples_per_s", "samples/s", "samples / training time",
              &JobFigures::samples_per_second, RestsOn::Step, FigureKind::Count},
    JobFigure{"tokens_per_s", "tokens/s", "tokens / training time", &JobFigures::tokens_per_second,
              RestsOn::Step, FigureKind::Count, "tokens/s"},
    JobFigure{"tokens_per_s_each", "tokens/s each", "of one accelerator",
              &JobFigures::tokens_per_second_each, RestsOn::Step, FigureKind::Count},
    JobFigure{"mfu_6n", "MFU (6N)",
              "6 FLOPs a token and parameter it goes through / training time x dense peak",
              &JobFigures::mfu_6n, RestsOn::Step, FigureKind::Share},
    JobFigure{"mfu", "MFU", "the same with the products of (causal) attention", &JobFigures::mfu,
              RestsOn::Step, FigureKind::Share, "MFU %"},
    JobFigure{"hfu", "HFU", "the same with what is computed again", &JobFigures::hfu, RestsOn::Step,
              FigureKind::Share},
    JobFigure{"training_s", "training s", "steps x step", &JobFigures::training_seconds},
    JobFigure{"evaluation_s", "evaluation s", "forward passes over the evaluated samples",
              &JobFigures::evaluation_seconds},
    JobFigure{"input_s", "input s", "steps that wait for nodes to read their samples",
              &JobFigures::input_seconds},
    JobFigure{"start_up_s", "start-up s", "until the first step", &JobFigures::start_up_seconds,
              RestsOn::Assumption},
    JobFigure{"lost_s", "lost s", "expected to go into failures, restarts and checkpoints",
              &JobFigures::lost_seconds, RestsOn::Losses},
    JobFigure{"time_s", "time s", "training + evaluation + input + start-up + lost",
              &JobFigures::seconds, RestsOn::Run},
    JobFigure{"days", "days", "time / 24 h", &JobFigures::days, RestsOn::Run, FigureKind::Plain,
              "days"},
    JobFigure{"goodput", "goodput", "training / time", &JobFigures::goodput, RestsOn::Losses,
              FigureKind::Share},
    JobFigure{"accelerator_hours", "accelerator-hours", "accelerators x time",
              &JobFigures::accelerator_hours, RestsOn::Run, FigureKind::Count, "acc.-hours"},
    JobFigure{"energy_kwh", "kWh", "accelerators, hosts, switches and the facility",
              &JobFigures::kilowatt_hours, RestsOn::Power, FigureKind::Count, "kWh"},
    JobFigure{"co2_t", "t CO2e", "energy x intensity of the grid", &JobFigures::co2_tonnes,
              RestsOn::Power},
    JobFigure{"cost_usd", "USD", "accelerator-hours x price", &JobFigures::usd, RestsOn::Price,
              FigureKind::Count, "USD"},
    JobFigure{"memory_gb", "GB", "peak of the fullest stage", &JobFigures::memory_gigabytes,
              RestsOn::Step, FigureKind::Plain, "GB"},
    JobFigure{"batch_price", "price of batch",
              "share of the samples that tiny batches would not take", &JobFigures::batch_price,
              RestsOn::Assumption, FigureKind::Share, "price %"}};

/// What a job takes, and the same were its steps as fast and as slow as their 90 % intervals reach
/// (the critical batch: as large and as small as its doubt). What the whole run adds up to is
/// drawn.
struct JobEstimate {
  Job job;
  Expense expense;  ///< of the longest stretch on equally many accelerators
  JobFigures expected;
  JobFigures faster;
  JobFigures slower;
  std::vector<JobDraw> draws;
  DrawnSpread time{};  ///< of the draws, over the expected, as is energy
  DrawnSpread energy{};
  DrawnSpread goodput{};
  DrawnSpread lost{};

  /// Absent: it is not known, or does not apply.
  std::optional<double> value(const JobFigure&) const;
  /// As runs with that overrun go: the middle of the draws. The value itself where the run's time
  /// does not change it, or where no overrun is drawn.
  std::optional<double> usual(const JobFigure&) const;
  /// 90 % of it. Both ends are the value itself where nothing that is in doubt changes it.
  Interval interval(const JobFigure&) const;
  /// A figure of the whole run in one draw.
  double drawn(double JobFigures::*figure, const JobDraw&) const;
  /// `formula`, or `given` of what was asked for.
  std::string_view basis(const JobFigure&) const;
};

/// InputError where interruptions come so often that the job does not end, or where a price is
/// asked for that is not known.
JobEstimate estimate(const Job&);

/// A job of each phase of the run alone, the first of which starts it up.
std::vector<Job> by_phase(const Job&);
/// The phase whose fullest stage holds most, and what that stage holds.
const JobPhase& fullest_phase(const Job&);
const Footprint& fullest_stage(const Job&);
/// The phase that trains for longest: what an answer shows of a job's steps.
const JobPhase& main_phase(const Job&);
/// A step of the job, the mean over all of them.
StepTimes mean_step(const Job&);

}  // namespace training
}  // namespace tofn
