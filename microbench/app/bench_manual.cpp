#include "microbench/app/bench_manual.hpp"

#include "microbench/app/bench_command.hpp"
#include "sim/core/version.hpp"

namespace tofn::bench {

Manual program_manual() {
  Manual manual{.program = "tofn-bench",
                .summary = "measure what predicts distributed training, and say how sure it is",
                .version = version_number,
                .date = commit_date,
                .common = option_rows(common_rows()),
                .commands = {},
                .sections = {{"EXIT STATUS",
                              {"0: done.", "1: a failure while measuring.",
                               "2: a mistake in the input.", "130: interrupted."}}}};
  for (const BenchCommand& each : commands())
    manual.commands.push_back(manual_command(each.name, each.summary, {each.line()}));
  return manual;
}

}  // namespace tofn::bench
