#pragma once

#include <string>
#include <vector>

#include "microbench/app/bench_command.hpp"
#include "microbench/app/rig.hpp"
#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// A record without points that states place, time and tools of the measurement; complete on rank
/// 0. Collective. InputError on all ranks if their GPUs are of different models.
Record provenance(Team&, const Rig&, const std::vector<std::string>& host_of_rank,
                  const BenchOptions&);

/// Takes over the points of an existing file if the options request that. InputError if the file
/// must not be touched, or was measured on other hosts, ranks or devices.
void continue_record(const BenchOptions&, Record&);

}  // namespace tofn::bench
