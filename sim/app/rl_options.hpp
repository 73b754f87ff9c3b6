#pragma once

#include "sim/answers/rl_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/options/option_values.hpp"

// Options of `tofn predict MODEL CLUSTER --rl`.

namespace tofn {
inline namespace app {

namespace option {
inline constexpr OptionOf<RlAlgorithm> rl{
    {.name = "rl", .help = "a step of RL post-training: grpo", .is_for_pages = false},
    choice<rl_algorithms>};
}  // namespace option

/// Rows of `--rl` and of the options that act with it alone.
CommandOptions rl_rows();

/// InputError if an option is given that does nothing without `--rl`.
void refuse_rl_options(const options::variables_map&);

/// `tofn predict MODEL CLUSTER --rl grpo`: predicts a step of RL post-training.
CommandAnswer predict_rl(const options::variables_map&);

}  // namespace app
}  // namespace tofn
