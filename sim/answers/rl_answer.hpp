#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/rollout/training_passes.hpp"

namespace tofn {
inline namespace answers {

/// Algorithms of RL post-training. GRPO has one policy, several responses to each prompt, and no
/// critic.
enum class RlAlgorithm { Grpo };
inline constexpr std::array<std::pair<std::string_view, RlAlgorithm>, 1> rl_algorithms{
    {{"grpo", RlAlgorithm::Grpo}}};
constexpr const auto& names_of(RlAlgorithm) { return rl_algorithms; }

/// A step of RL post-training of a model.
struct RlRequest {
  RlAlgorithm algorithm = RlAlgorithm::Grpo;
  Model model;
  Cluster cluster;
  KernelProfile profile;
  StatedPlan plan{};         ///< of training
  std::vector<int> sizes{};  ///< accelerators, ascending
  double prompts = 0;        ///< of one step
  double generations = 0;    ///< responses to each prompt
  double prompt_tokens = 0;
  ResponseLengths lengths{};
  int updates = 1;                    ///< optimizer steps on the responses of one step
  bool has_reference = true;          ///< its log-probabilities are computed too (KL penalty)
  std::optional<int> steps_off{};     ///< absent: 0
  std::optional<int> generators{};    ///< accelerators that generate alone; absent: chosen
  std::optional<int> engine_ranks{};  ///< accelerators of one engine; absent: chosen
  Precision engine_weights = Precision::Bf16;
  int most_sequences = default_most_sequences;
  std::optional<double> steps{};  ///< of the whole run

  double responses() const { return prompts * generations; }
  int age() const { return steps_off.value_or(0); }
  /// True if the same accelerators generate and train.
  bool is_colocated() const { return !generators && age() == 0; }
};

/// A division of the accelerators, and the step that it gives.
struct RlSplit {
  int generators = 0;  ///< all of them if both sides share them
  int trainers = 0;
  EngineLayout engine{};
  int engines = 0;
  RlStep step{};
  Plan plan{};       ///< of training
  bool fits = true;  ///< training fits the memory
};

/// Answer for one number of accelerators.
struct RlPoint {
  int accelerators = 0;
  std::optional<RlSplit> split{};
  Interval seconds{};               ///< 90 % interval of the step
  std::optional<RlSplit> better{};  ///< another ratio or placement that is clearly shorter
  /// Sentences on the values used in place of requested ones, and on options that do nothing.
  std::vector<std::string> substitutions{};
  std::string skipped_because{};

  /// Prompt and response tokens of one step in a second of each accelerator, generators included.
  double tokens_per_second_each(const RlRequest&) const;
};

struct RlAnswer {
  std::vector<RlPoint> points;
};

/// Predicts the step at every size. What is not stated is chosen for the shortest step: the ranks
/// of an engine and the accelerators that generate. InputError if no size can be answered.
RlAnswer rl_answer(const RlRequest&);

}  // namespace answers
}  // namespace tofn
