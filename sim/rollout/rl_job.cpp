#include "sim/rollout/rl_job.hpp"

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace rollout {

ResponseLengths RlJob::lengths() const {
  const ResponseLengths lengths{
      .mean = response_tokens, .cap = longest_tokens - prompt_tokens, .spread = length_spread};
  if (lengths.mean > lengths.cap)
    throw InputError(fmt::format(
        "leaves {:g} tokens beside a prompt of {:g}: fewer than a mean response of {:g}",
        lengths.cap, prompt_tokens, lengths.mean));
  return lengths;
}

}  // namespace rollout
}  // namespace tofn
