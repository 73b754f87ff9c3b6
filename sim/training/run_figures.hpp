#pragma once

#include <array>
#include <string_view>

#include "sim/core/quantity.hpp"

// Figures of a training run, one list for steps of any source.

namespace tofn {
inline namespace training {

/// Figures of a run. The rows of `run_figures` define how each follows from the others.
struct RunFigures {
  double step_seconds = 0;  ///< mean over all steps, like all rates
  double steps = 0;
  double samples = 0;
  double tokens = 0;  ///< 0 if samples are no texts
  double samples_per_second = 0;
  double tokens_per_second = 0;
  double tokens_per_second_each = 0;  ///< per accelerator
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
  double batch_price = 0;  ///< 0: unknown
  double petaflop_per_second_days = 0;
  double evaluations = 0;
  double evaluation_each_seconds = 0;
  double score_minutes = 0;  ///< of a benchmark, by its rules
  double score_scaling_seconds = 0;
};

inline constexpr double seconds_per_hour = 3600;

/// Days in which 10^15 FLOP/s do this work.
constexpr double petaflop_per_second_days(Flops work) {
  return work.base() / 1e15 / (24 * seconds_per_hour);
}

/// Format of a figure for people: `2T`, `41.2 %`, or plain digits.
enum class FigureKind { Count, Share, Plain };
/// Input that limits the basis of a figure. `Run`: its whole time; `Losses`: the time that it
/// loses.
enum class RestsOn { Request, Step, Run, Price, Power, Losses, Assumption };

/// Row of an answer: name, unit and definition of a figure.
struct RunFigure {
  std::string_view name;  ///< of a column, with the unit
  std::string_view title;
  std::string_view definition;
  double RunFigures::*value;
  RestsOn rests_on = RestsOn::Step;
  FigureKind kind = FigureKind::Plain;
  std::string_view head{};  ///< head of its column in tables of sizes; empty: it has none
};
inline constexpr std::array run_figures{
    RunFigure{"step_s", "step s", "mean over all steps", &RunFigures::step_seconds, RestsOn::Step,
              FigureKind::Plain, "step s"},
    RunFigure{"steps", "steps", "samples / global batch", &RunFigures::steps, RestsOn::Request,
              FigureKind::Count},
    RunFigure{"samples", "samples", "that it trains", &RunFigures::samples, RestsOn::Request,
              FigureKind::Count},
    RunFigure{"tokens", "tokens", "samples x sequence length", &RunFigures::tokens,
              RestsOn::Request, FigureKind::Count, "tokens"},
    RunFigure{"samples_per_s", "samples/s", "samples / training time",
              &RunFigures::samples_per_second, RestsOn::Step, FigureKind::Count},
    RunFigure{"tokens_per_s", "tokens/s", "tokens / training time", &RunFigures::tokens_per_second,
              RestsOn::Step, FigureKind::Count, "tokens/s"},
    RunFigure{"tokens_per_s_each", "tokens/s each", "of one accelerator",
              &RunFigures::tokens_per_second_each, RestsOn::Step, FigureKind::Count},
    RunFigure{"mfu_6n", "MFU (6N)",
              "6 FLOPs a token and parameter it goes through / training time x dense peak",
              &RunFigures::mfu_6n, RestsOn::Step, FigureKind::Share},
    RunFigure{"mfu", "MFU",
              "FLOPs of all products, (causal) attention's too / training time x dense peak",
              &RunFigures::mfu, RestsOn::Step, FigureKind::Share, "MFU %"},
    RunFigure{"hfu", "HFU", "MFU with what is computed again", &RunFigures::hfu, RestsOn::Step,
              FigureKind::Share},
    RunFigure{"training_s", "training s", "steps x step", &RunFigures::training_seconds},
    RunFigure{"evaluation_s", "evaluation s", "forward passes over the evaluated samples",
              &RunFigures::evaluation_seconds},
    RunFigure{"input_s", "input s", "steps that wait for nodes to read their samples",
              &RunFigures::input_seconds},
    RunFigure{"start_up_s", "start-up s",
              "until the first step, and what else is neither a step nor an evaluation",
              &RunFigures::start_up_seconds, RestsOn::Assumption},
    RunFigure{"lost_s", "lost s", "expected to go into failures, restarts and checkpoints",
              &RunFigures::lost_seconds, RestsOn::Losses},
    RunFigure{"time_s", "time s", "training + evaluation + input + start-up + lost",
              &RunFigures::seconds, RestsOn::Run},
    RunFigure{"time_to_train_min", "time to train min",
              "time, of a benchmark as it scores: no failures, its rule for lucky convergence",
              &RunFigures::score_minutes, RestsOn::Run, FigureKind::Plain, "min"},
    RunFigure{"days", "days", "time / 24 h", &RunFigures::days, RestsOn::Run, FigureKind::Plain,
              "days"},
    RunFigure{"goodput", "goodput", "training / time", &RunFigures::goodput, RestsOn::Losses,
              FigureKind::Share},
    RunFigure{"accelerator_hours", "accelerator-hours", "accelerators x time",
              &RunFigures::accelerator_hours, RestsOn::Run, FigureKind::Count, "acc.-hours"},
    RunFigure{"energy_kwh", "kWh", "accelerators, hosts, fans, switches and the facility",
              &RunFigures::kilowatt_hours, RestsOn::Power, FigureKind::Count, "kWh"},
    RunFigure{"co2_t", "t CO2e", "energy x intensity of the grid", &RunFigures::co2_tonnes,
              RestsOn::Power},
    RunFigure{"cost_usd", "USD", "accelerator-hours x price", &RunFigures::usd, RestsOn::Price,
              FigureKind::Count, "USD"},
    RunFigure{"memory_gb", "GB", "peak of the most loaded stage", &RunFigures::memory_gigabytes,
              RestsOn::Step, FigureKind::Plain, "GB"},
    RunFigure{"batch_price", "extra samples",
              "share of the samples that much smaller batches would not take",
              &RunFigures::batch_price, RestsOn::Assumption, FigureKind::Share, "extra %"},
    RunFigure{"petaflop_s_days", "petaFLOP/s-days", "model FLOPs of all samples / 10^15 / 24 h",
              &RunFigures::petaflop_per_second_days, RestsOn::Request, FigureKind::Count},
    RunFigure{"evaluations", "evaluations", "passes over the evaluated samples",
              &RunFigures::evaluations, RestsOn::Request, FigureKind::Count},
    RunFigure{"evaluation_each_s", "evaluation each s", "evaluation / evaluations",
              &RunFigures::evaluation_each_seconds},
    RunFigure{"score_scaling_s", "score scaling s", "the benchmark's rule for lucky convergence",
              &RunFigures::score_scaling_seconds}};

/// Row of a figure.
constexpr const RunFigure& figure_of(double RunFigures::*value) {
  std::size_t at = 0;
  while (run_figures[at].value != value) ++at;
  return run_figures[at];
}

}  // namespace training
}  // namespace tofn
