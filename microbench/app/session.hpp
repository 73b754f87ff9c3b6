#pragma once

#include "microbench/app/bench_command.hpp"
#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// Collective: places the ranks, opens the record, runs the task and reports how it ended, on one
/// rank. Returns the exit code.
int run_session(Team&, Task&, const BenchOptions&);

}  // namespace tofn::bench
