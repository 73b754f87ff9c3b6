#pragma once

#include <string>
#include <vector>

#include "microbench/app/bench_command.hpp"
#include "microbench/app/rig.hpp"
#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// Collective: a record without points that says where, when and with what it is measured; complete
/// on rank 0. InputError on all ranks where the hosts' GPUs are of different models.
Record provenance(Team&, const Rig&, const std::vector<std::string>& host_of_rank,
                  const BenchOptions&);

/// Takes over the points of the file that is already there, if the options say so. InputError where
/// it must not be touched, or was measured on other hosts, ranks or devices.
void continue_record(const BenchOptions&, Record&);

}  // namespace tofn::bench
