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

/// One sample of a run: factors over its expected figures, and figures in place of them.
struct RunSample {
  double time = 1;
  double energy = 1;
  double step = 1;
  double training = 1;
  double evaluation = 1;
  double evaluation_each = 1;
  double samples = 1;
  double critical_batch = 1;
  double goodput = 0;       ///< without the overrun
  double lost_seconds = 0;  ///< failures, restarts and checkpoints, without the overrun
  double input_seconds = 0;
  double start_up_seconds = 0;
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

/// Way in which a figure follows from a member of a sample: not at all, as a product with it or a
/// ratio over it, as that member, or as the extra samples of a batch at another critical batch.
enum class Follows { Nothing, Product, Ratio, Member, ExtraSamples };

/// Row of an answer: name, unit and definition of a figure.
struct RunFigure {
  std::string_view name;  ///< of a column, with the unit
  std::string_view title;
  std::string_view definition;
  double RunFigures::*value;
  RestsOn rests_on = RestsOn::Step;
  FigureKind kind = FigureKind::Plain;
  Follows follows = Follows::Nothing;
  double RunSample::*sampled = nullptr;
  std::string_view head{};  ///< head of its column in tables of sizes; empty: it has none
};
/// True if the figure's 90 % interval is known, because it is sampled or given. That of the memory
/// is not: its usual error (`is_close`) is no interval of 90 %.
constexpr bool has_interval(const RunFigure& figure) {
  return figure.follows != Follows::Nothing || figure.rests_on == RestsOn::Request;
}
inline constexpr std::array run_figures{
    RunFigure{"step_s", "step s", "mean time of a step over all steps", &RunFigures::step_seconds,
              RestsOn::Step, FigureKind::Plain, Follows::Product, &RunSample::step, "step s"},
    RunFigure{"steps", "steps", "samples / global batch", &RunFigures::steps, RestsOn::Request,
              FigureKind::Count, Follows::Product, &RunSample::samples},
    RunFigure{"samples", "samples", "samples that the run trains", &RunFigures::samples,
              RestsOn::Request, FigureKind::Count, Follows::Product, &RunSample::samples},
    RunFigure{"tokens", "tokens", "samples x sequence length; none where samples are no texts",
              &RunFigures::tokens, RestsOn::Request, FigureKind::Count, Follows::Product,
              &RunSample::samples, "tokens"},
    RunFigure{"samples_per_s", "samples/s", "samples / training time",
              &RunFigures::samples_per_second, RestsOn::Step, FigureKind::Count, Follows::Ratio,
              &RunSample::step},
    RunFigure{"tokens_per_s", "tokens/s", "tokens / training time; none where samples are no texts",
              &RunFigures::tokens_per_second, RestsOn::Step, FigureKind::Count, Follows::Ratio,
              &RunSample::step, "tokens/s"},
    RunFigure{"tokens_per_s_each", "tokens/s each",
              "tokens per second of one accelerator; none where samples are no texts",
              &RunFigures::tokens_per_second_each, RestsOn::Step, FigureKind::Count, Follows::Ratio,
              &RunSample::step},
    RunFigure{"mfu_6n", "MFU (6N)",
              "6 FLOPs a token and parameter it goes through / training time x dense peak; "
              "measured steps of a workload do not show it",
              &RunFigures::mfu_6n, RestsOn::Step, FigureKind::Share, Follows::Ratio,
              &RunSample::step},
    RunFigure{"mfu", "MFU",
              "FLOPs of all products, (causal) attention's too / training time x dense peak",
              &RunFigures::mfu, RestsOn::Step, FigureKind::Share, Follows::Ratio, &RunSample::step,
              "MFU %"},
    RunFigure{"hfu", "HFU",
              "MFU with what is computed again; measured steps of a workload do not show it",
              &RunFigures::hfu, RestsOn::Step, FigureKind::Share, Follows::Ratio, &RunSample::step},
    RunFigure{"training_s", "training s", "steps x step", &RunFigures::training_seconds,
              RestsOn::Step, FigureKind::Plain, Follows::Product, &RunSample::training},
    RunFigure{"evaluation_s", "evaluation s", "time of forward passes over the evaluated samples",
              &RunFigures::evaluation_seconds, RestsOn::Step, FigureKind::Plain, Follows::Product,
              &RunSample::evaluation},
    RunFigure{"input_s", "input s",
              "time for which steps wait for nodes to read their samples; within the measured "
              "steps of a workload",
              &RunFigures::input_seconds, RestsOn::Step, FigureKind::Plain, Follows::Member,
              &RunSample::input_seconds},
    RunFigure{"start_up_s", "start-up s",
              "time until the first step, and all else that is neither a step nor an evaluation",
              &RunFigures::start_up_seconds, RestsOn::Assumption, FigureKind::Plain,
              Follows::Member, &RunSample::start_up_seconds},
    RunFigure{"lost_s", "lost s", "expected time lost to failures, restarts and checkpoints",
              &RunFigures::lost_seconds, RestsOn::Losses, FigureKind::Plain, Follows::Member,
              &RunSample::lost_seconds},
    RunFigure{"time_s", "time s", "training + evaluation + input + start-up + lost",
              &RunFigures::seconds, RestsOn::Run, FigureKind::Plain, Follows::Product,
              &RunSample::time},
    RunFigure{"time_to_train_min", "time to train min",
              "time, of a benchmark as it scores: no failures, its rule for lucky convergence",
              &RunFigures::score_minutes, RestsOn::Run, FigureKind::Plain, Follows::Product,
              &RunSample::time, "min"},
    RunFigure{"days", "days", "time / 24 h", &RunFigures::days, RestsOn::Run, FigureKind::Plain,
              Follows::Product, &RunSample::time, "days"},
    RunFigure{"goodput", "goodput", "training / time", &RunFigures::goodput, RestsOn::Losses,
              FigureKind::Share, Follows::Member, &RunSample::goodput},
    RunFigure{"accelerator_hours", "accelerator-hours",
              "accelerators x time, with those that stay idle in the job's nodes",
              &RunFigures::accelerator_hours, RestsOn::Run, FigureKind::Count, Follows::Product,
              &RunSample::time, "acc.-hours"},
    RunFigure{"energy_kwh", "kWh", "energy of accelerators, hosts, fans, switches and the facility",
              &RunFigures::kilowatt_hours, RestsOn::Power, FigureKind::Count, Follows::Product,
              &RunSample::energy, "kWh"},
    RunFigure{"co2_t", "t CO2e", "energy x intensity of the grid", &RunFigures::co2_tonnes,
              RestsOn::Power, FigureKind::Plain, Follows::Product, &RunSample::energy},
    RunFigure{"cost_usd", "USD", "accelerator-hours x price", &RunFigures::usd, RestsOn::Price,
              FigureKind::Count, Follows::Product, &RunSample::time, "USD"},
    RunFigure{"memory_gb", "GB",
              "peak of the most loaded stage; measured steps of a workload do not show it",
              &RunFigures::memory_gigabytes, RestsOn::Step, FigureKind::Plain, Follows::Nothing,
              nullptr, "GB"},
    RunFigure{"batch_price", "extra samples",
              "share of the samples that much smaller batches would not take",
              &RunFigures::batch_price, RestsOn::Assumption, FigureKind::Share,
              Follows::ExtraSamples, &RunSample::critical_batch, "extra %"},
    RunFigure{"petaflop_s_days", "petaFLOP/s-days", "model FLOPs of all samples / 10^15 / 24 h",
              &RunFigures::petaflop_per_second_days, RestsOn::Request, FigureKind::Count,
              Follows::Product, &RunSample::samples},
    RunFigure{"evaluations", "evaluations", "passes over the evaluated samples",
              &RunFigures::evaluations, RestsOn::Request, FigureKind::Count},
    RunFigure{"evaluation_each_s", "evaluation each s", "evaluation / evaluations",
              &RunFigures::evaluation_each_seconds, RestsOn::Step, FigureKind::Plain,
              Follows::Product, &RunSample::evaluation_each},
    RunFigure{"score_scaling_s", "score scaling s",
              "time that the benchmark's rule for lucky convergence adds; only a workload has one",
              &RunFigures::score_scaling_seconds}};

/// Row of a figure.
constexpr const RunFigure& figure_of(double RunFigures::*value) {
  std::size_t at = 0;
  while (run_figures[at].value != value) ++at;
  return run_figures[at];
}

}  // namespace training
}  // namespace tofn
