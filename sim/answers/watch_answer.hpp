#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sim/core/quantity.hpp"
#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/step_log.hpp"

namespace tofn {
inline namespace answers {

struct WatchQuestion {
  std::string file{};
  std::optional<double> iterations{};  ///< for logs that do not state it
  std::optional<Seconds> predicted{};  ///< of a step
  StepHints hints{};                   ///< sizes that the log does not state
};

/// Steps that became longer for good, with the time lost to that.
struct StepSlowdown {
  double since = 0;   ///< iteration at which it began
  Seconds before{};   ///< time of a step
  Seconds lost{};     ///< so far
  Seconds to_lose{};  ///< until the last iteration; 0 if unknown
};

/// State and forecast of a running job.
struct WatchAnswer {
  StepSurvey run{};
  std::size_t runs = 1;  ///< number of runs in the log; this is the last
  std::vector<LogWarning> warnings{};
  Seconds recent{};  ///< median of the newest steps
  std::optional<double> iteration{}, iterations{};
  std::optional<Seconds> left{};    ///< time until the last iteration
  Seconds left_low{}, left_high{};  ///< 90 % interval of the time left
  double outside = 0;               ///< share of the clock's time that lies between steps
  std::optional<double> drift{};    ///< newest steps over the predicted one, less 1
  std::optional<StepSlowdown> slowdown{};
  std::optional<double> written{};  ///< time when the log was last written, in seconds since 1970
  std::optional<Seconds> silent{};  ///< since then, if that is far longer than steps take
  double own_drift = 0;             ///< newest steps over the run's first steady ones, less 1
  std::string cause{};              ///< of a drift; empty if there is none or no cause shows

  /// True if the log says that its run ended, or if it has reached its last iteration.
  bool is_over() const {
    return run.end.is_known() || (iteration && iterations && *iteration >= *iterations);
  }
};

/// Reads the log as it is now. InputError as survey_step_log throws it; NoSteps if no step has a
/// time.
WatchAnswer watch(const WatchQuestion&);

/// A known reason for steps that become slower: how to recognise it, and the text for people.
struct DriftCause {
  std::string_view name;
  bool (*shows)(const WatchAnswer&);
  std::string_view sentence;
};

/// Known causes, the most specific first. The cause of an answer is the sentence of one.
std::span<const DriftCause> drift_causes();

}  // namespace answers
}  // namespace tofn
