#include "sim/answers/overrun_words.hpp"

#include <cmath>

#include <fmt/format.h>

namespace tofn {
inline namespace answers {
namespace {

/// Nine of ten draws of an exponential variate are below so many of its means.
const double ninety_percent_means = std::log(10.0);

std::string steps_words(const Overrun& overrun) {
  if (overrun.steps_spread == 1) return "their steps are those that were measured";
  return fmt::format(
      "their steps took {:.2g} x the simulated ones (nine of ten {:.2g} to {:.2g} x; here no less "
      "than the step's own lower end)",
      overrun.steps, overrun.steps / overrun.steps_spread, overrun.steps * overrun.steps_spread);
}

}  // namespace

std::string overrun_words(const Overrun& overrun) {
  const auto& held = overrun.is_none() ? simulated_coverage : published_coverage;
  const std::string coverage = fmt::format("{} of {} published runs", held.inside, held.runs);
  if (overrun.is_none())
    return fmt::format(
        "what steps and failures alone leave open, which holds {} (--overrun published)", coverage);
  const std::string draws = fmt::format(
      "outcomes with the overrun of published runs: {}, and their runs {:.2g} x their steps (nine "
      "of "
      "ten below {:.2g} x)",
      steps_words(overrun), std::exp(overrun.excess),
      std::exp(ninety_percent_means * overrun.excess));
  if (overrun.steps_spread == 1) return draws + "; --overrun none leaves that out";
  return fmt::format("{}; it holds {}, each family left out in turn (--overrun none)", draws,
                     coverage);
}

std::string overrun_in_short(const Overrun& overrun) {
  if (overrun.is_none())
    return "are meant to hold 90 % of what steps and failures leave open; published runs took "
           "longer (--overrun published)";
  if (overrun.steps_spread == 1)
    return "are meant to hold 90 % of outcomes around the measured step, with what published runs "
           "lose besides";
  const auto& held = published_coverage;
  return fmt::format(
      "are meant to hold 90 % of outcomes, and {} of {} published runs lie inside; steps of such "
      "runs took {:.2g} x the simulated ones ({:.2g} to {:.2g} x; --overrun none leaves this out)",
      held.inside, held.runs, overrun.steps, overrun.steps / overrun.steps_spread,
      overrun.steps * overrun.steps_spread);
}

}  // namespace answers
}  // namespace tofn
