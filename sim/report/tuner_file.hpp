#pragma once

#include <string>

#include "sim/answers/tuner_answer.hpp"

namespace tofn {
inline namespace report {

/// Configuration that NCCL's example tuner plugin reads (plugins/tuner/example, before 2.28
/// ext-tuner/example, of github.com/NVIDIA/nccl): lines of `collective_type, min_bytes, max_bytes,
/// algorithm, protocol, channels, nNodes, nRanks, numPipeOps, regBuff`, where -1 leaves a choice to
/// NCCL or matches everything. Lines that begin with # are comments. Here each comment has the gain
/// of the line below it, and gains that are not sure are commented out.
std::string tuner_file(const TunerAnswer&);

}  // namespace report
}  // namespace tofn
