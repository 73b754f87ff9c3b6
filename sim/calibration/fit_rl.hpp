#pragma once

#include <optional>
#include <span>
#include <string>

#include "sim/rollout/rl_step.hpp"

namespace tofn {
inline namespace calibration {

/// A measured step of reinforcement learning, as far as its source states it.
struct RlObservation {
  std::string model;  ///< name of its file, by which rows are left out together
  Decoder decoder;
  Cluster cluster;
  EngineLayout layout;
  RolloutRequest rollout{};
  TrainingPasses passes{};
  RlPlacement placement{};
  bool predicts_generation = true;     ///< false if the source does not say what generates, or how
  std::optional<double> step{};        ///< seconds, like those below
  std::optional<double> generation{};  ///< whole rollout, not the part that nothing overlaps
  std::optional<double> logprobs{};
  std::optional<double> updates{};
};

/// The step as predicted.
RlStep predicted(const RlObservation&, EngineFigures, const RlFigures&);

/// Figures of RL fitted to all parts and steps that these rows state, each model counting alike.
RlFigures fit_rl(std::span<const RlObservation* const>, const EngineFigures&);

}  // namespace calibration
}  // namespace tofn
