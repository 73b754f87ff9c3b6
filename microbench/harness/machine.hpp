#pragma once

#include <string>

#include "sim/core/record.hpp"

namespace tofn::bench {

std::string host_name();

/// `2026-11-21T09:30:00Z`
std::string utc_now();

/// `AMD EPYC 9654 96-Core Processor`
std::string cpu_model();

/// This host as the kernel tells it: `kernel`, `cpu`, `memory`, `network`.
RecordTexts machine_description();

/// The variables that steer MPI, NCCL, CUDA, network libraries and threads, by name.
RecordTexts steering_environment();

/// Bytes of host memory that can still be taken.
double available_memory();

}  // namespace tofn::bench
