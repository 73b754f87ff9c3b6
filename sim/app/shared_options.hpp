#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/cluster/prices.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/core/collective_kind.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "sim/options/option.hpp"
#include "sim/options/option_values.hpp"
#include "sim/simulation/best_plan.hpp"

// Options that several commands or files read. Each other option is in the file that reads it.

namespace tofn {
inline namespace app {

/// Reads the tokens of a sample: a whole number, or a multiple of 1024 such as `8k` for 8192.
int sequence_length_of(const std::string& text, const std::string& flag);
/// Reads a whole number of at least 0.
std::uint64_t seed_of(const std::string& text, const std::string& flag);
/// Reads a number between two bounds; `what` names it in the error message: `number`.
double number_between(int least, int most, std::string_view what, const std::string& text,
                      const std::string& flag);
/// Reads a number from 0 to `most`.
template <int most>
double number_up_to(const std::string& text, const std::string& flag) {
  return number_between(0, most, "number", text, flag);
}
/// Reads a factor from 1 to `most`.
template <int most>
double factor_up_to(const std::string& text, const std::string& flag) {
  return number_between(1, most, "factor", text, flag);
}
/// Reads the samples or tokens of a run or a batch, also with a suffix: `2T`, `500k`. They have an
/// upper bound, so that steps can be counted.
double trained_number(const std::string& text, const std::string& flag);
/// Reads US dollars per accelerator-hour: `2.5`, `$2.5` or `2.5 USD/h`.
double price_of(const std::string& text, const std::string& flag);
/// Reads a software release, YY.MM.
std::string release_of(const std::string& text, const std::string& flag);

/// Figures whose range a measurement narrows; true: the cost.
inline constexpr std::array<std::pair<std::string_view, bool>, 2> measured_figures{
    {{"time", false}, {"cost", true}}};

namespace option {

using Text = OptionOf<std::string>;
using Texts = OptionOf<std::vector<std::string>>;

// Job, cluster and stack.

inline constexpr Text job{
    {"job", "a name of `tofn list workloads`, `models` or `runs`, or a file (.yaml, config.json)"}};
inline constexpr Text model{
    {"model", "a name of `tofn list models`, or a file (.yaml, config.json)"}};
inline constexpr Text workload{
    {"workload", "workload that was trained: a name of `tofn list workloads`, or a file (.yaml)"}};
inline constexpr Text cluster{{"cluster", "a name of `tofn list clusters`, or a file (.yaml)"}};
inline constexpr OptionOf<std::vector<int>> accelerators{
    {.name = "accelerators", .letter = 'N'},
    [](const std::string& text, const std::string&) { return counts_of(text, "-N"); }};
inline constexpr Text calibration{
    {"calibration", "measured collectives: a name of configs/calibrations, or a file"}};
inline constexpr Text stack{{"stack", stack_help}};
inline constexpr Text release{
    {"release", "software release YY.MM of a workload (default: the newest calibrated)"}};
inline constexpr Text name{{"name"}};

inline constexpr Texts files{{"file", {}, Takes::Words}};
inline constexpr Text folder{{"folder"}};
inline constexpr Text what{{"what"}};
inline constexpr Text of{{"of"}};

// Amount of training, and batch.

inline constexpr OptionOf<double> tokens{{"tokens", "tokens to train, e.g. 2T, 200B, 1.4e12"},
                                         trained_number};
inline constexpr OptionOf<double> samples{{"samples", "samples to train, in place of tokens"},
                                          trained_number};
inline constexpr OptionOf<int> batch{
    {"batch", "global batch in samples (default: the one that trains soonest)"},
    whole<most_samples>};
inline constexpr OptionOf<double> batch_tokens{{"batch-tokens", "global batch in tokens, e.g. 4M"},
                                               trained_number};
inline constexpr OptionOf<int> replica_batch{{"replica-batch"}, whole<most_samples>};
inline constexpr OptionOf<int> sequence_length{
    {"sequence-length",
     "tokens of a sample, e.g. 4096 or 8k, which is 8 x 1024 (default: the model file's)"},
    sequence_length_of};
inline constexpr OptionOf<std::uint64_t> seed{{"seed"}, seed_of};

// Plan; plan_option (plan_options.hpp) has the options for its fields.

inline constexpr Text plan{
    {"plan", "a name of `tofn list plans`, or a file (.yaml); options go above it"}};
inline constexpr OptionOf<int> micro_batch{{"micro-batch", "samples per replica and pass"},
                                           whole<>};
inline constexpr OptionOf<int> gradient_accumulation{
    {"grad-accum", "micro-batches of a step (default: what the batch needs)"}, whole<>};

inline constexpr OptionOf<PlanSpace> search{{"search",
                                             "plans to choose from: usual (what stacks run by "
                                             "default) or all; cp leaves 2048 tokens or more"},
                                            choice<plan_spaces>};

// Cost.

inline constexpr OptionOf<double> price{
    {"price", "US dollars of an accelerator-hour (default: the cluster file's)"}, price_of};
inline constexpr Text prices{
    {"prices", "a list of prices (.yaml), which goes before those of clusters"}};
inline constexpr OptionOf<PriceTerm> price_term{
    {"price-term", "on_demand (default), reserved_1y, reserved_3y or spot"}, choice<price_terms>};
inline constexpr OptionOf<Seconds> preemption_every{
    {"preemption-every", "mean time until a spot node is taken away (default: 168h)"},
    amount_of<Seconds>};
inline constexpr OptionOf<Seconds> start_up{
    {"start-up", "time until the first step (default: 5 min, assumed)"}, amount_of<Seconds>};

// Measurements.

inline constexpr Text steps{
    {"steps",
     "measured steps (`tofn calibrate --steps --model`), which sharpen the stack and name it"}};
inline constexpr Texts logs_of_steps{
    {"steps",
     "logs of training (MLLOG, Megatron-LM, NeMo, torchtitan and others) or tables (batch, "
     "accelerators, step_ms; or as configs/measured): makes a step profile",
     Takes::Values}};
inline constexpr OptionOf<RegimeTaken> regime{
    {"regime",
     "first, last or longest: which part of a log is taken whose steps turned from one time to "
     "another (default: the longest)"},
    choice<regimes_taken>};
inline constexpr Text published{{.name = "published", .is_for_pages = false}};
inline constexpr OptionOf<CollectiveKind> collective{{"collective"}, choice<collective_kinds>};
inline constexpr OptionOf<int> ranks{{"ranks"}, whole<>};
inline constexpr OptionOf<int> nodes{{"nodes"}, whole<>};
inline constexpr Text step_log{
    {.name = "check",
     .help = "a training log: is a step of it as fast as similar published jobs, and what would "
             "explain that it is not? Exit code 0: it is, 1: it is slower; -N, --batch and the "
             "plan where the log does not state them",
     .is_for_pages = false}};
inline constexpr Texts logs_of_collectives{
    {.name = "check",
     .help = "logs of benchmarks, files of NCCL Inspector, records of tofn-bench, calibrations: "
             "are they normal? Exit code 0: all are, 1: one is not, 2: one cannot be judged (of "
             "too few rows, or refused). A log that does not say its cluster, ranks or nodes is "
             "judged on each that it allows, and counts as judged where they agree; --cluster, "
             "--ranks, --nodes and --collective settle it",
     .takes = Takes::Values,
     .is_for_pages = false}};
inline constexpr Text training{{"training",
                                "model, with --check, a name of `tofn list models`: how much "
                                "longer a step of it takes than on healthy links"}};
inline constexpr Text collectives{
    {"collectives",
     "measured collectives of the machine or job, with --check: files with commas, which tell slow "
     "links from what else is slow"}};
inline constexpr Text measured{
    {.name = "measured",
     .help = "records of that step on -N ranks, as many, to compare with",
     .is_for_pages = false}};
inline constexpr Text record{
    {.name = "record",
     .help = "records of `tofn-bench step --processor cpu` on one rank: the step on -N ranks (2) "
             "by measured all-reduces (--calibration)",
     .is_for_pages = false}};

// Further questions.

inline constexpr AnyOption sensitivity{
    "sensitivity",
    "speedup of runs by 10 % more of each figure, the uncertain inputs that make the range, and "
    "the measurements that would settle it (of csv and json all rows)",
    Takes::Nothing};
inline constexpr OptionOf<bool> measurement_of{
    {.name = "measurement-of",
     .help = "figure whose range the next measurement narrows: time or cost, which a price adds to",
     .default_text = "time"},
    choice<measured_figures>};
inline constexpr AnyOption next_measurement{
    "next-measurement",
    "the measurements that would narrow the range, what each takes and what it would leave, the "
    "best first",
    Takes::Nothing};
inline constexpr Text trace{
    {.name = "trace",
     .help = "file for the timeline, to be opened in Perfetto (ui.perfetto.dev)",
     .is_for_pages = false,
     .writes_file = true}};
inline constexpr Texts times{{"times",
                              "FIGURE=FACTOR: a figure of the cluster's file times a factor, e.g. "
                              "network.nic_bandwidth=2; once for each",
                              Takes::ValueEachTime}};
inline constexpr Text emit{{"emit"}};
inline constexpr Text launch_files{
    {.name = "from",
     .help = "launch files of a training in place of the job, e.g. run.sh or run.sh,ds.json",
     .is_for_pages = false}};

}  // namespace option

/// InputError if both `--sensitivity` and `--next-measurement` are given.
void refuse_two_tables(const options::variables_map&);

}  // namespace app
}  // namespace tofn
