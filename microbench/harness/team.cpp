#include "microbench/harness/team.hpp"

namespace tofn::bench {

void agree(Team& team, const LocalProblem& mine) {
  double any = mine.text ? 1 : 0;
  team.maximum({&any, 1});
  if (any == 0) return;
  // The exit code is sent as the first character.
  const auto problems =
      team.gather(mine.text ? static_cast<char>('0' + mine.exit_code) + *mine.text : std::string{});
  for (const std::string& problem : problems)
    if (!problem.empty()) throw SharedFailure(problem.substr(1), problem[0] - '0');
}

}  // namespace tofn::bench
