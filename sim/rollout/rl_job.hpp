#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "sim/rollout/rollout.hpp"

namespace tofn {
inline namespace rollout {

/// Algorithms of RL post-training. GRPO has one policy, several responses to each prompt, and no
/// critic.
enum class RlAlgorithm { Grpo };
inline constexpr std::array<std::pair<std::string_view, RlAlgorithm>, 1> rl_algorithms{
    {{"grpo", RlAlgorithm::Grpo}}};
constexpr const auto& names_of(RlAlgorithm) { return rl_algorithms; }

/// Mean tokens of a prompt where none are stated: those of OpenMathInstruct-2, which tokens/s, step
/// and responses of NeMo RL's tables give (100 to 135).
inline constexpr double default_prompt_tokens = 120;

/// Most optimizer steps that share the responses of one step.
inline constexpr int most_rl_updates = 10'000;

/// Work of RL post-training in a step, as options or the file of a run state it.
struct RlJob {
  RlAlgorithm algorithm = RlAlgorithm::Grpo;
  double prompts = 0;                            ///< of one step
  double generations = 0;                        ///< responses to each prompt
  std::optional<double> stated_prompt_tokens{};  ///< mean; absent: assumed
  double response_tokens = 0;                    ///< mean
  double longest_tokens = 0;                     ///< of prompt and response together
  std::optional<double> stated_spread{};         ///< of response lengths; absent: assumed
  int updates = 1;                               ///< optimizer steps on the responses of one step
  bool has_reference = true;          ///< its log-probabilities are computed too (KL penalty)
  std::optional<int> steps_off{};     ///< absent: 0
  std::optional<int> generators{};    ///< accelerators that generate alone; absent: chosen
  std::optional<int> engine_ranks{};  ///< accelerators of one engine; absent: chosen
  std::optional<EngineAttention> engine_attention{};  ///< absent: chosen
  std::optional<Precision> stated_engine_weights{};   ///< absent: assumed
  std::optional<int> stated_sequences{};  ///< most at once in one engine; absent: assumed
  std::optional<double> steps{};          ///< of the whole run; absent: one step

  double prompt_tokens() const { return stated_prompt_tokens.value_or(default_prompt_tokens); }
  double length_spread() const { return stated_spread.value_or(default_length_spread); }
  int most_sequences() const { return stated_sequences.value_or(default_most_sequences); }
  Precision engine_weights() const { return stated_engine_weights.value_or(Precision::Bf16); }
  double responses() const { return prompts * generations; }
  /// Responses of one optimizer step. InputError if the updates do not share them equally, which
  /// no published setup does.
  double responses_of_update() const;
  double sample_tokens() const { return prompt_tokens() + response_tokens; }
  int age() const { return steps_off.value_or(0); }
  /// True if the same accelerators generate and train.
  bool is_colocated() const { return !generators && age() == 0; }
  /// Lengths of responses. InputError if a mean response does not fit beside the prompt.
  ResponseLengths lengths() const;
};

/// Meanings of the members of `RlJob`, in the help of options and in the lists of keys.
namespace rl_words {
inline constexpr std::string_view algorithm = "algorithm of a step of RL post-training: grpo";
inline constexpr std::string_view prompts = "prompts of one step of RL, e.g. 64";
inline constexpr std::string_view generations = "responses to each prompt, e.g. 32";
inline constexpr std::string_view response = "mean tokens of a response, e.g. 1060 or 4k";
inline constexpr std::string_view longest =
    "most tokens of prompt and response together, e.g. 4096";
inline constexpr std::string_view prompt = "mean tokens of a prompt (assumed, as of mathematics)";
inline constexpr std::string_view spread =
    "standard deviation of the logarithm of response lengths (assumed)";
inline constexpr std::string_view updates = "optimizer steps on the responses of one step";
inline constexpr std::string_view steps_off =
    "age in steps that responses may have; from 1 on generation runs beside training";
inline constexpr std::string_view generators =
    "accelerators that generate and do not train (default: all do both, or one or more steps off "
    "what gives the shortest step)";
inline constexpr std::string_view engine_ranks =
    "accelerators of one engine (default: what gives the shortest step)";
inline constexpr std::string_view engine_attention =
    "split of attention over an engine's accelerators: by its heads (tp), or by its sequences "
    "beside whole experts (dp; default: what gives the shortest step)";
inline constexpr std::string_view engine_precision =
    "precision of an engine's weights: fp32, tf32, bf16, fp16, fp8, fp4";
inline constexpr std::string_view most_sequences =
    "most sequences that an engine runs at once, or each accelerator of one with dp attention";
inline constexpr std::string_view reference =
    "on or off: log-probabilities of a reference model too, as a KL penalty needs them";
inline constexpr std::string_view steps = "RL steps of the whole run, whose time is printed";
}  // namespace rl_words

}  // namespace rollout
}  // namespace tofn
