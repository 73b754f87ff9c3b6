#pragma once

#include <string_view>

#include "sim/options/option.hpp"

namespace tofn {
inline namespace app {

/// Kind of job or of answer that a command distinguishes. Rows of options state the kinds that they
/// affect.
struct JobKind {
  Jobs bit;
  std::string_view name;      ///< as in error messages, `for published times`
  std::string_view why{};     ///< reason why an option has no effect; may be empty
  Jobs replaces = every_job;  ///< mark of the options for which that is the reason; others are not
                              ///< supported
  constexpr operator Jobs() const { return bit; }
};

inline constexpr std::string_view why_workloads =
    "its steps are those of observed runs or of its own plan, and its target says when it ends; "
    "ask for its model instead";
inline constexpr std::string_view why_models =
    "its steps follow from its dimensions and a stack (--stack)";

inline constexpr JobKind workload_predicted{1U << 0U, "for a workload", why_workloads};
inline constexpr JobKind model_predicted{1U << 1U, "for a model by its dimensions", why_models};
inline constexpr JobKind workload_scaled{1U << 2U, "for a workload", why_workloads};
inline constexpr JobKind model_scaled{1U << 3U, "for a model by its dimensions", why_models};
inline constexpr JobKind of_published_times{1U << 4U, "for published times"};
inline constexpr JobKind series_answer{1U << 5U, "for a series of times"};
inline constexpr JobKind quote_answer{1U << 6U, "for quoted examples"};
inline constexpr JobKind collectives_checked{1U << 7U, "for measured collectives (--check)"};
inline constexpr JobKind collective_timed{1U << 8U, "for a collective of one size",
                                          "it is for measured ones (--check)"};
inline constexpr JobKind collectives_calibrated{1U << 9U, "for measured collectives",
                                                "it is for steps of training (--steps)"};
inline constexpr JobKind workload_steps{1U << 10U, "for steps of a workload",
                                        "--workload, -N, --tp, --cp and --grad-accum say what ran"};
inline constexpr JobKind model_steps{1U << 11U, "for steps of a model",
                                     "--model, its plan and -N say what ran"};
inline constexpr JobKind stacks_fitted{1U << 12U, "with --stacks"};
inline constexpr JobKind fabrics_fitted{1U << 13U, "with --fabrics"};
inline constexpr JobKind steps_of_table{1U << 14U, "for a table of steps (--cases)"};
inline constexpr JobKind steps_of_records{1U << 15U, "for records of steps (--record)"};
inline constexpr JobKind tuner_emitted{1U << 21U, "with --emit"};
inline constexpr JobKind step_checked{1U << 16U, "with --check"};
/// Run from a file, which states some of the options itself.
inline constexpr Jobs run_of_file = 1U << 17U;
/// Prediction of the candidate that a search chose, without the options of the search.
inline constexpr Jobs choice_predicted = 1U << 18U;

/// Options in whose place RL post-training has its own.
inline constexpr Jobs replaced_in_rl = 1U << 20U;

/// Prediction of a step of reinforcement learning.
inline constexpr JobKind rl_predicted{1U << 19U, "for RL post-training (--rl)",
                                      "--prompts, --generations and the lengths say what a step is",
                                      replaced_in_rl};

/// Jobs of a model in every command.
inline constexpr Jobs of_models =
    model_predicted | model_scaled | model_steps | step_checked | run_of_file | choice_predicted;
/// Jobs of a model whose step is predicted, and not one that is measured and checked.
inline constexpr Jobs of_predicted_models = of_models & ~step_checked;

/// Jobs with a cost, for `--price`, `--failure-every`, ...
inline constexpr Jobs of_expenses = of_models | workload_predicted | workload_scaled | rl_predicted;

/// Throws InputError if an option was given that does not affect this kind of job, or that it does
/// not support.
void refuse_idle_options(const options::variables_map&, const CommandOptions&, const JobKind&);

}  // namespace app
}  // namespace tofn
