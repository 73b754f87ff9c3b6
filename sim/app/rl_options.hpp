#pragma once

#include "sim/answers/plan_answer.hpp"
#include "sim/answers/rl_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/options/option_values.hpp"

// Options of RL post-training.

namespace tofn {
inline namespace app {

namespace option {
inline constexpr OptionOf<RlAlgorithm> rl{
    {.name = "rl", .help = rl_words::algorithm, .is_for_pages = false}, choice<rl_algorithms>};
}  // namespace option

/// Rows of `--rl` and of the options that act with it alone.
CommandOptions rl_rows();

/// InputError if an option is given that does nothing without `--rl`.
void refuse_rl_options(const options::variables_map&);

/// True if `--rl` is given, or if a job is a run of RL post-training.
bool is_of_rl(const options::variables_map&, const std::optional<std::string>& job);

/// Request of RL post-training without cluster, sizes and limits: of a run's file, or of a model
/// and the options. Its expenses are those that the file states. InputError if an option says what
/// the file does.
RlRequest rl_request_of(const options::variables_map&, const std::string& job);

/// `tofn predict MODEL CLUSTER --rl grpo`, and of a run of RL: predicts a step and the run.
CommandAnswer predict_rl(const options::variables_map&);

/// `tofn plan MODEL CLUSTER... --rl grpo`: chooses the machines, their number and their division.
CommandAnswer plan_rl(const options::variables_map&, double confidence, const Objective& by);

}  // namespace app
}  // namespace tofn
