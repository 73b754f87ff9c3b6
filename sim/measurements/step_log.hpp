#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace measurements {

/// What a log says of the network that it trains; absent: it does not.
struct LoggedModel {
  std::string benchmark{};  ///< MLPerf's name
  std::optional<int> layers{};
  std::optional<int> hidden_size{};
  std::optional<int> heads{};
};

/// A part of a run whose steps took one time, where others took another.
struct StepRegime {
  Seconds step{};                      ///< median, without warm-up and outliers
  double steps = 0;                    ///< that it is of
  std::optional<double> from{}, to{};  ///< iterations of its first and last printed times
};
/// Which of a run's regimes its step is of: never a mean over them.
enum class RegimeTaken { Longest, First, Last };
inline constexpr std::array<std::pair<std::string_view, RegimeTaken>, 3> regimes_taken{
    {{"longest", RegimeTaken::Longest},
     {"first", RegimeTaken::First},
     {"last", RegimeTaken::Last}}};
/// `9.6 s in iterations 1 to 300 (299 steps), then 12.95 s in iterations 301 to 400 (100 steps)`
std::string regimes_text(const std::vector<StepRegime>&);

/// The optimizer step of one configuration, as a training log has it.
struct MeasuredStep {
  std::string source{};
  int accelerators = 1;
  double global_batch = 1;
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int gradient_accumulation = 1;
  Seconds step{};     ///< median, without warm-up and outliers
  double spread = 0;  ///< between single steps: robust standard deviation over the median
  int steps = 1;      ///< that the median is of
  std::vector<StepRegime> regimes{};          ///< in order, where there are several
  std::optional<double> sequence_length{};    ///< tokens a sample
  std::optional<double> micro_batch{};        ///< samples a replica and pass
  std::optional<FlopsPerSecond> rate_each{};  ///< of one accelerator, as the log itself counts
  LoggedModel model{};
};

/// What the user says where a log does not.
struct StepHints {
  std::optional<int> accelerators{};
  std::optional<double> global_batch{};
  std::optional<int> tensor_parallel_size{};
  std::optional<int> pipeline_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> gradient_accumulation{};
  std::optional<double> sequence_length{};
  std::optional<double> micro_batch{};
  RegimeTaken regime = RegimeTaken::Longest;
};

/// A log without a step that has a time: it is none of steps, or its job has not come so far.
class NoSteps : public InputError {
 public:
  using InputError::InputError;
};

struct StepReading {
  std::vector<MeasuredStep> steps{};
  std::vector<std::string> remarks{};  ///< `file:line: what was left out, and by which rule`
};

/// Steps of a log in any known format. InputError at the first line that is wrong, for a size that
/// neither the log nor a hint says, and where figures contradict each other: a time of a step and
/// the time stamps, rates or epochs beside it.
StepReading read_step_log(std::string_view text, const std::string& file,
                          const StepHints& hints = {});

/// One configuration as far as its log tells of it.
struct StepSurvey {
  std::string format{};
  std::optional<int> accelerators{};
  std::optional<double> global_batch{};
  std::optional<int> tensor_parallel_size{}, pipeline_parallel_size{}, context_parallel_size{};
  LoggedModel model{};
  std::optional<Seconds> step{};  ///< absent: `unknown` says why
  double spread = 0;
  double steps = 0;                   ///< that the median is of
  std::vector<StepRegime> regimes{};  ///< in order, where there are several
  std::string unknown{};
  std::optional<double> iteration{};   ///< the last one
  std::optional<double> iterations{};  ///< that the run shall take
  std::string length_from{};           ///< what the log's dump calls that; empty: lines of steps
  std::string ended{};                 ///< how the log says that the run ended; empty: it does not
  /// Of the job that printed the last line, where several have: seconds between its first and last
  /// lines by their time stamps, and iterations meanwhile.
  std::optional<double> clock_seconds{}, clock_iterations{};
  int clock_waits = 0;  ///< times between two of these lines that are more than twice the usual one
  std::optional<double> pause_seconds{};  ///< before that job, which no evaluation explains
  std::vector<double> seconds{};  ///< of each of its printed steps, in order; without cold ones
};

/// What a log warns of: steps are slow or lost.
struct LogWarning {
  int count = 0;  ///< of lines
  int line = 0;   ///< the first
  std::string words{};
  std::string meaning{};
};

struct StepLogSurvey {
  std::vector<StepSurvey> runs{};
  std::vector<LogWarning> warnings{};
  std::vector<std::string> remarks{};
};

/// The same without asking for what the log does not say.
StepLogSurvey survey_step_log(std::string_view text, const std::string& file,
                              const StepHints& hints = {});

/// Whether the text is in a format of step_format.cpp.
bool is_step_log(std::string_view text);

}  // namespace measurements
}  // namespace tofn
