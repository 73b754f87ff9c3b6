#include "sim/rollout/rl_job.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace rollout {

double RlJob::responses_of_update() const {
  const auto shares = [this](int count) {
    return count == 1 || std::fmod(responses(), count) == 0;
  };
  if (shares(updates)) return responses() / updates;
  int fewer = updates - 1;
  while (!shares(fewer)) --fewer;
  int more = updates + 1;
  while (more <= most_rl_updates && !shares(more)) ++more;
  throw InputError(fmt::format(
      "{} do not share {:.0f} responses equally: {} would", updates, responses(),
      more > most_rl_updates ? fmt::format("{}", fewer) : fmt::format("{} or {}", fewer, more)));
}

ResponseLengths RlJob::lengths() const {
  const ResponseLengths lengths{
      .mean = response_tokens, .cap = longest_tokens - prompt_tokens(), .spread = length_spread()};
  if (lengths.mean > lengths.cap)
    throw InputError(fmt::format(
        "leaves {:g} tokens beside a prompt of {:g}: fewer than a mean response of {:g}",
        lengths.cap, prompt_tokens(), lengths.mean));
  return lengths;
}

}  // namespace rollout
}  // namespace tofn
