#include "sim/answers/overrun_words.hpp"

#include <fmt/format.h>

namespace tofn {
inline namespace answers {

std::string overrun_words(const Overrun& overrun) {
  const auto& held = overrun.is_none() ? simulated_coverage : published_coverage;
  const std::string coverage = fmt::format("holds {} of {} published runs", held.inside, held.runs);
  if (overrun.is_none())
    return fmt::format("draws of steps and failures alone: it {} (--overrun published)", coverage);
  const auto& [factor, spread] = overrun;
  return fmt::format(
      "draws with the overrun of published runs: {:.2g} x their simulated hours, nine of ten "
      "{:.2g} "
      "to {:.2g} x; it {}, families left out (--overrun none)",
      factor, factor / spread, factor * spread, coverage);
}

}  // namespace answers
}  // namespace tofn
