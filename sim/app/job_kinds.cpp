#include "sim/app/job_kinds.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace app {
namespace {

using Names = std::string_view;
constexpr std::array<Names, 7> of_all{"configs", "format", "output", "details",
                                      "wide",    "quiet",  "help"};
constexpr std::array<Names, 4> of_limits{"deadline", "budget", "energy", "carbon"};
constexpr std::array<Names, 10> of_expenses{
    "facility-factor", "price-term",       "price", "failure-every", "preemption-every", "restart",
    "checkpoint-cost", "checkpoint-every", "grid",  "prices"};
constexpr std::array<Names, 19> of_predicted_workload{
    "times",         "job",           "cluster",     "accelerators", "batch",
    "replica-batch", "release",       "calibration", "tp",           "cp",
    "grad-accum",    "seed",          "runs",        "plan",         "precision",
    "cuda-graphs",   "fp8-attention", "sharp",       "steps"};
constexpr std::array<Names, 3> of_steps_too{"sensitivity", "trace", "table"};
constexpr std::array<Names, 4> not_of_predicted_model{"release", "runs", "seed", "replica-batch"};
constexpr std::array<Names, 15> of_scaled_workload{
    "times",         "job",     "cluster",     "accelerators", "batch",
    "replica-batch", "release", "calibration", "tp",           "cp",
    "grad-accum",    "gain",    "cost-weight", "seed",         "table"};
constexpr std::array<Names, 3> not_of_scaled_model{"accelerator", "published", "release"};
constexpr std::array<Names, 7> of_published{"job",         "accelerator", "published", "gain",
                                            "cost-weight", "seed",        "table"};
constexpr std::array<Names, 5> of_series{"series", "gain", "cost-weight", "seed", "table"};
constexpr std::array<Names, 2> of_quotes{"quotes", "stack"};
constexpr std::array<Names, 7> of_checked_collectives{"check", "cluster",  "collective", "ranks",
                                                      "nodes", "training", "stack"};
constexpr std::array<Names, 3> not_of_timed_collective{"nodes", "training", "stack"};
constexpr std::array<Names, 9> of_calibrated_collectives{
    "file", "collective", "ranks", "nodes", "type", "name", "description", "machine", "cluster"};
constexpr std::array<Names, 15> of_workload_steps{
    "steps",           "workload",  "cluster",     "name",          "accelerators",
    "batch",           "tp",        "cp",          "release",       "grad-accum",
    "sequence-length", "precision", "cuda-graphs", "fp8-attention", "regime"};
constexpr std::array<Names, 11> not_of_model_steps{"explain-calibration",
                                                   "collective",
                                                   "ranks",
                                                   "nodes",
                                                   "type",
                                                   "description",
                                                   "machine",
                                                   "release",
                                                   "workload",
                                                   "stacks",
                                                   "fabrics"};

constexpr std::array<Names, 3> of_step_cases{"cases", "leave-one-out", "stack"};
constexpr std::array<Names, 4> of_step_records{"record", "measured", "calibration", "accelerators"};

/// Both lists.
template <std::size_t A, std::size_t B>
constexpr std::array<Names, A + B> joined(const std::array<Names, A>& a,
                                          const std::array<Names, B>& b) {
  std::array<Names, A + B> all{};
  std::copy(a.begin(), a.end(), all.begin());
  std::copy(b.begin(), b.end(), all.begin() + A);
  return all;
}
constexpr auto predicted_workload =
    joined(joined(joined(of_predicted_workload, of_steps_too), of_limits), of_expenses);
constexpr auto scaled_workload = joined(of_scaled_workload, of_expenses);

bool is_among(std::span<const Names> names, Names name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr Names why_workloads = "its steps rest on measured ones, and its target says when it ends";
constexpr Names why_models = "its steps follow from its dimensions and a stack (--stack)";

}  // namespace

const JobKind workload_predicted{"a workload of observed runs", predicted_workload, false,
                                 why_workloads};
const JobKind model_predicted{"a model by its dimensions", not_of_predicted_model, true,
                              why_models};
const JobKind workload_scaled{"a workload of observed runs", scaled_workload, false, why_workloads};
const JobKind model_scaled{"a model by its dimensions", not_of_scaled_model, true, why_models};
const JobKind of_published_times{"published times", of_published};
const JobKind series_answer{"a series of times", of_series};
const JobKind quote_answer{"quoted examples", of_quotes};
const JobKind collectives_checked{"measured collectives (--check)", of_checked_collectives};
const JobKind collective_timed{"a collective of one size", not_of_timed_collective, true,
                               "it is for measured ones (--check)"};
const JobKind collectives_calibrated{"measured collectives", of_calibrated_collectives, false,
                                     "it is for steps of training (--steps)"};
const JobKind workload_steps{"steps of a workload", of_workload_steps, false,
                             "--workload, -N, --tp, --cp and --grad-accum say what ran"};
const JobKind model_steps{"steps of a model", not_of_model_steps, true,
                          "--model, its plan and -N say what ran"};
const JobKind steps_of_table{"a table of steps (--cases)", of_step_cases};
const JobKind steps_of_records{"records of steps (--record)", of_step_records};

void refuse_idle_options(const options::variables_map& values, const JobKind& kind) {
  for (const auto& [name, value] : values) {
    if (value.defaulted() || is_among(of_all, name) ||
        is_among(kind.options, name) != kind.are_idle)
      continue;
    throw InputError({}, "--" + name,
                     fmt::format("changes nothing for {}{}{}", kind.name,
                                 kind.why.empty() ? "" : ": ", kind.why));
  }
}

}  // namespace app
}  // namespace tofn
