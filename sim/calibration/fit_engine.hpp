#pragma once

#include <functional>
#include <span>
#include <string>

#include "sim/rollout/inference_engine.hpp"

namespace tofn {
inline namespace calibration {

/// A measured rate of generation: of a load that never ends, or of a number of sequences at once.
struct DecodeObservation {
  std::string model;  ///< name of its file, by which rows are left out together
  Decoder decoder;
  Cluster cluster;
  EngineLayout layout;
  double prompt = 0;     ///< tokens
  double response = 0;   ///< tokens, of every request alike
  double sequences = 0;  ///< at once; 0: as many as the memory holds
  double requests = 0;
  double measured = 0;  ///< tokens/s of an accelerator, or where `is_latency` seconds of a token
  bool is_latency = false;
};

/// The measured figure as predicted.
double predicted(const DecodeObservation&, const EngineFigures&);

/// Engine figures fitted to these rows, each model counting alike.
EngineFigures fit_engine(std::span<const DecodeObservation* const>);

}  // namespace calibration
}  // namespace tofn
