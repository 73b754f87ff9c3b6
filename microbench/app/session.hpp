#pragma once

#include "microbench/app/bench_command.hpp"
#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// Places the ranks, opens the record, runs the task and reports on one rank how it ended.
/// Collective. Returns the exit code.
int run_session(Team&, Task&, const BenchOptions&);

}  // namespace tofn::bench
