#pragma once

#include <string>

#include "sim/core/record.hpp"

namespace tofn::bench {

std::string host_name();

/// Present time, such as `2026-11-21T09:30:00Z`.
std::string utc_now();

/// Model of the CPU, such as `AMD EPYC 9654 96-Core Processor`.
std::string cpu_model();

/// Description of this host by its kernel: `kernel`, `cpu`, `memory`, `network`.
RecordTexts machine_description();

/// Variables that configure MPI, NCCL, CUDA, network libraries and threads, sorted by name.
RecordTexts steering_environment();

/// Bytes of host memory that can still be allocated.
double available_memory();

}  // namespace tofn::bench
