#pragma once

#include <optional>
#include <string>

#include "sim/core/quantity.hpp"
#include "sim/core/statistics.hpp"
#include "sim/measurements/step_log.hpp"

namespace tofn {
inline namespace answers {

struct WatchQuestion {
  std::string file{};
  std::optional<double> iterations{};  ///< where the log does not say
  std::optional<Seconds> predicted{};  ///< of a step
  StepHints hints{};                   ///< sizes that the log does not say
};

/// Steps that turned longer for good, and what that costs.
struct StepSlowdown {
  double since = 0;   ///< iteration
  Seconds before{};   ///< a step
  Seconds lost{};     ///< until now
  Seconds to_lose{};  ///< until the last iteration; 0: unknown
};

/// Where a running job stands.
struct WatchAnswer {
  StepSurvey run{};
  std::size_t runs = 1;  ///< that the log holds: the last is told of
  std::vector<LogWarning> warnings{};
  Seconds recent{};  ///< median of the newest steps
  std::optional<double> iteration{}, iterations{};
  std::optional<Seconds> left{};    ///< until the last iteration
  Seconds left_low{}, left_high{};  ///< of 90 %
  double outside = 0;               ///< share of the clock's time between steps
  std::optional<double> drift{};    ///< newest steps over the predicted one, less 1
  std::optional<StepSlowdown> slowdown{};
  std::optional<double> written{};  ///< seconds since 1970 when the log was last written
  double own_drift = 0;             ///< newest steps over the run's first steady ones, less 1
  std::string cause{};              ///< of a drift; empty: none, or none that shows

  /// The log says that its run ended, or its last iteration is there.
  bool is_over() const {
    return !run.ended.empty() || (iteration && iterations && *iteration >= *iterations);
  }
};

/// What the log says now. InputError as survey_step_log throws it, NoSteps where none has a time.
WatchAnswer watch(const WatchQuestion&);

/// A known reason for steps that become slower: how it shows, and what to say.
struct DriftCause {
  std::string_view name;
  bool (*shows)(const WatchAnswer&);
  std::string_view sentence;
};

}  // namespace answers
}  // namespace tofn
