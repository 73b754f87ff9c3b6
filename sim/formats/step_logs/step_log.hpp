#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/quantity.hpp"
#include "sim/formats/text/job_end.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace formats {

/// Dimensions of the model that a log states; absent if it does not.
struct LoggedModel {
  std::string benchmark{};  ///< MLPerf's name
  std::optional<int> layers{};
  std::optional<int> hidden_size{};
  std::optional<int> heads{};

  bool operator==(const LoggedModel&) const = default;
};

/// Sizes of a run as its log states them; absent if it does not.
struct LoggedSizes {
  std::optional<int> accelerators{};
  std::optional<int> nodes{};               ///< NeMo's `num_nodes`
  std::optional<int> per_node{};            ///< NeMo's `devices`
  std::optional<double> global_batch{};     ///< samples per step
  std::optional<double> local_batch{};      ///< of one data-parallel rank
  std::optional<double> micro_batch{};      ///< samples per replica and pass
  std::optional<double> sequence_length{};  ///< tokens per sample
  std::optional<double> tokens{};           ///< tokens per step
  std::optional<int> tensor_parallel_size{};
  std::optional<int> pipeline_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> gradient_accumulation{};
  std::optional<double> iterations{};  ///< of the whole run
  std::string length_from{};           ///< name of that total in a dump; empty: from lines of steps
  std::string platform{};              ///< MLPerf's words for the machine: `1xMI300X`
  LoggedModel model{};
  bool length_is_assumed = false;  ///< the sequence length is the model's

  bool operator==(const LoggedSizes&) const = default;
};

/// A part of a run whose step time differs from that of other parts.
struct StepRegime {
  Seconds step{};                      ///< median, without warm-up and outliers
  double steps = 0;                    ///< number of steps in the median
  std::optional<double> from{}, to{};  ///< iterations of its first and last printed times
};
/// Steps that took much more or less time than the others, and are not in the median.
struct OutlierSteps {
  double steps = 0;  ///< their number
  double of = 0;     ///< number of all steps
  Seconds step{};    ///< their median
  double share = 0;  ///< share of the time of all steps that they took beyond as many steady ones
};
/// Regime that gives a run's step; never a mean over regimes.
enum class RegimeTaken { Longest, First, Last };
inline constexpr std::array<std::pair<std::string_view, RegimeTaken>, 3> regimes_taken{
    {{"longest", RegimeTaken::Longest},
     {"first", RegimeTaken::First},
     {"last", RegimeTaken::Last}}};
/// `9.6 s in iterations 1 to 300 (299 steps), then 12.95 s in iterations 301 to 400 (100 steps)`
std::string regimes_text(const std::vector<StepRegime>&);

/// The optimizer step of one configuration, from a training log or table.
struct MeasuredStep {
  std::string source{};
  int accelerators = 1;
  double global_batch = 1;
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int gradient_accumulation = 1;
  Seconds step{};              ///< median, without warm-up and outliers
  double spread = 0;           ///< between single steps: robust standard deviation over the median
  int steps = 1;               ///< number of steps in the median
  bool is_one_figure = false;  ///< the log states one time for all steps, such as their mean
  std::vector<StepRegime> regimes{};          ///< in order, if there are several
  std::optional<double> sequence_length{};    ///< tokens per sample
  std::optional<double> micro_batch{};        ///< samples per replica and pass
  std::optional<FlopsPerSecond> rate_each{};  ///< of one accelerator, by the log's own count
  LoggedModel model{};
  std::optional<Plan> plan{};  ///< complete; absent if only the sizes above are known
};

/// Facts that the user states because the log may not.
struct StepHints {
  std::optional<int> accelerators{};
  std::optional<double> global_batch{};
  std::optional<int> tensor_parallel_size{};
  std::optional<int> pipeline_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> gradient_accumulation{};
  std::optional<double> sequence_length{};
  std::optional<double> micro_batch{};
  std::optional<double> model_length{};  ///< tokens per sample, if log and hints state none
  RegimeTaken regime = RegimeTaken::Longest;
};

/// Thrown for a log without a step time: it is not a log of steps, or its job has not come so far.
class NoSteps : public InputError {
 public:
  using InputError::InputError;
};

struct StepReading {
  std::vector<MeasuredStep> steps{};
  std::vector<std::string> remarks{};  ///< `file:line: ...`: what was left out, and by which rule
};

/// Reads steps of a log in any known format. InputError at the first wrong line, for a size that
/// neither the log nor a hint states, and for figures that contradict each other: a step time and
/// the time stamps, rates or epochs beside it.
StepReading read_step_log(std::string_view text, const std::string& file,
                          const StepHints& hints = {});

/// One configuration, with whatever its log states.
struct StepSurvey : LoggedSizes {
  std::string format{};
  std::optional<Seconds> step{};  ///< absent: `unknown` states the reason
  double spread = 0;
  double steps = 0;  ///< number of steps in the median
  OutlierSteps outliers{};
  std::vector<StepRegime> regimes{};  ///< in order, if there are several
  std::string unknown{};
  std::optional<double> iteration{};  ///< the last one
  JobEnd end{};
  /// Seconds between the first and last lines of the last job by their time stamps, and iterations
  /// in between.
  std::optional<double> clock_seconds{}, clock_iterations{};
  int clock_waits = 0;  ///< number of intervals between these lines above twice the median
  std::optional<double> pause_seconds{};  ///< before that job, not explained by an evaluation
  std::vector<double> seconds{};          ///< of each printed step, in order, without cold ones
};

/// A warning in a log that steps are slow or lost.
struct LogWarning {
  int count = 0;  ///< number of lines
  int line = 0;   ///< of the first one
  std::string words{};
  std::string meaning{};
};

struct StepLogSurvey {
  std::vector<StepSurvey> runs{};
  std::vector<LogWarning> warnings{};
  std::vector<std::string> remarks{};
};

/// Reads a log without requiring sizes that it does not state.
StepLogSurvey survey_step_log(std::string_view text, const std::string& file,
                              const StepHints& hints = {});

/// True if the text is in a format of step_log.cpp.
bool is_step_log(std::string_view text);
/// Says what a log lacks that has losses of steps and no times; empty for other texts.
std::string losses_without_times(std::string_view text);

}  // namespace formats
}  // namespace tofn
