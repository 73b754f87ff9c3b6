#include "sim/formats/step_logs/taken_steps.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_regimes.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Returns `3 of 200 times left out as outliers (over 5 deviations and 5 % from the median): 9.1 s
/// in line 40, ...`.
std::string outliers_text(const SteadySteps& steady, std::size_t times) {
  constexpr std::size_t most_named = 4;
  std::string text = fmt::format(
      "{} of {} times left out as outliers (over {:g} deviations and {:g} % from the median):",
      steady.outliers.size(), times, outlier_deviations, 100 * least_outlier);
  for (std::size_t i = 0; i < std::min(most_named, steady.outliers.size()); ++i)
    text += fmt::format("{} {:.4g} s in line {}", i == 0 ? "" : ",", steady.outliers[i].seconds,
                        steady.outliers[i].line.number);
  return text + (steady.outliers.size() > most_named ? ", ..." : "");
}

/// Remark that too few times determine the warm-up; empty if none is needed.
std::string unsettled_text(const LoggedSteps& run, const SteadySteps& steady) {
  if (steady.warm_up > 0 || !steady.outliers.empty()) return "";
  const auto [least, most] = std::minmax_element(
      run.steps.begin(), run.steps.end(),
      [](const LoggedStep& a, const LoggedStep& b) { return a.seconds < b.seconds; });
  if (std::all_of(run.steps.begin(), run.steps.end(),
                  [](const LoggedStep& each) { return each.is_cold; }))
    return fmt::format(
        "{:.4g} s of a step hold the warm-up of the job's first one: no other is "
        "printed",
        steady.seconds);
  if (run.steps.size() >= least_times || most->seconds <= (1 + warm_band) * least->seconds)
    return "";
  return fmt::format(
      "{} times of {:.4g} to {:.4g} s: warm-up does not show in fewer than {}, none "
      "is left out",
      run.steps.size(), least->seconds, most->seconds, least_times);
}

StepRegime regime_of(std::span<const LoggedStep> part, bool goes_on) {
  const SteadySteps steady = steady_steps(part, goes_on);
  return {.step = Seconds{steady.seconds},
          .steps = steady.steps,
          .from = part.front().figures.iteration,
          .to = part.back().figures.iteration};
}

std::size_t taken_index(const std::vector<StepRegime>& regimes, RegimeTaken taken) {
  if (taken == RegimeTaken::First) return 0;
  if (taken == RegimeTaken::Last) return regimes.size() - 1;
  const auto longest =
      std::max_element(regimes.begin(), regimes.end(),
                       [](const StepRegime& a, const StepRegime& b) { return a.steps < b.steps; });
  return static_cast<std::size_t>(longest - regimes.begin());
}

std::string change_text(const std::vector<StepRegime>& regimes, RegimeTaken taken) {
  return fmt::format(
      "WARNING: the steps turned: {}; the {} of these is taken, and no mean (`tofn calibrate "
      "--steps --regime` takes another)",
      regimes_text(regimes), name_in(regimes_taken, taken));
}

}  // namespace

std::string regimes_text(const std::vector<StepRegime>& regimes) {
  std::string text;
  for (const StepRegime& each : regimes)
    text += fmt::format("{}{}{} ({:g} steps)", text.empty() ? "" : ", then ", to_text(each.step, 4),
                        each.from && each.to
                            ? fmt::format(" in iterations {:g} to {:g}", *each.from, *each.to)
                            : "",
                        each.steps);
  return text;
}

TakenSteps taken_of(const LogText& log, const LoggedSteps& whole, RegimeTaken taken,
                    std::vector<std::string>& remarks) {
  if (whole.is_one_figure)
    return {{.seconds = whole.steps.front().seconds,
             .spread = whole.spread.value_or(0),
             .steps = whole.steps.front().steps},
            {}};
  const auto parts = regimes_of(whole.steps);
  std::vector<StepRegime> regimes;
  std::size_t index = 0;
  std::optional<LoggedSteps> cut;
  if (parts.size() > 1) {
    for (const auto& part : parts) regimes.push_back(regime_of(part, !regimes.empty()));
    index = taken_index(regimes, taken);
    remarks.push_back(log.remark(parts[1].front().line, change_text(regimes, taken)));
    cut = whole;
    cut->steps.assign(parts[index].begin(), parts[index].end());
  }
  const LoggedSteps& run = cut ? *cut : whole;
  const LogLine& first = run.steps.front().line;
  const SteadySteps steady = steady_steps(run.steps, index > 0);
  check_steps(log, run, steady);
  const std::string batch =
      run.sizes.global_batch ? fmt::format("batch {:g}: ", *run.sizes.global_batch) : "";
  if (steady.warm_up > 0)
    remarks.push_back(log.remark(
        first, fmt::format("{}the first {} of {} times left out as warm-up (until one is "
                           "within {:g} % of the second half's median)",
                           batch, steady.warm_up, run.steps.size(), 100 * warm_band)));
  if (const std::string unsettled = unsettled_text(run, steady); !unsettled.empty())
    remarks.push_back(log.remark(first, batch + unsettled));
  if (!steady.outliers.empty())
    remarks.push_back(
        log.remark(steady.outliers.front().line, outliers_text(steady, run.steps.size())));
  return {steady, std::move(regimes)};
}

}  // namespace formats
}  // namespace tofn
