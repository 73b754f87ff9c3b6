#pragma once

#include <vector>

#include "sim/expense/activity.hpp"
#include "sim/rollout/inference_engine.hpp"

namespace tofn {
inline namespace rollout {

/// Standard deviation of the logarithm of response lengths where none is stated: assumed, because
/// no table of measured steps states a spread. It is a coefficient of variation of 0.66.
inline constexpr double default_length_spread = 0.6;

/// Lengths of responses in tokens: log-normal, cut at a cap.
struct ResponseLengths {
  double mean = 0;  ///< after the cut, above 0 and at most the cap
  double cap = 0;
  double spread = default_length_spread;  ///< standard deviation of the logarithm before the cut

  /// Returns `count` lengths, ascending: quantiles at the middles of equal shares. The last one is
  /// the longest expected of `drawn` responses, since an engine with the longest ends a rollout.
  std::vector<double> quantiles(int count, double drawn) const;
};

/// Most sequences that an engine runs at once, if nothing states it: assumed, above the 128 of
/// vLLM's SchedulerConfig, which its entry points raise (github.com/vllm-project/vllm,
/// vllm/config/scheduler.py).
inline constexpr int default_most_sequences = 256;

/// Responses that engines generate for one step of training.
struct RolloutRequest {
  double responses = 1;  ///< of all engines together
  double prompt = 0;     ///< tokens
  ResponseLengths lengths{};
  int engines = 1;
  int most_sequences = default_most_sequences;  ///< at once in one engine
  int batches_in_flight = 1;  ///< rollouts that overlap, if generation runs ahead of training
};

struct RolloutTimes {
  Seconds prefill;
  Seconds decode;
  Seconds tail;         ///< part of `decode` in which less than a tenth of the sequences live
  Seconds busy;         ///< time that the tokens take if every engine stays full
  Activity activity{};  ///< of an engine's accelerators from the first prompt to the last response
  double held = 0;      ///< sequences that run at once in one engine
  double waves = 1;     ///< responses of an engine over those that run at once
  double longest = 0;   ///< tokens of the longest response

  /// Time from the first prompt to the last response.
  Seconds latency() const { return prefill + decode; }
};

/// Time of one rollout: the engine decodes all that it holds, starts a waiting sequence where one
/// ends, and ends with its longest response. InputError if the memory holds no sequence.
RolloutTimes rollout_times(const Engine&, const RolloutRequest&);

}  // namespace rollout
}  // namespace tofn
