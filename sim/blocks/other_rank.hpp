#pragma once

#include <string>

#include "sim/blocks/block_job.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/blocks/ranks.hpp"

namespace tofn {
inline namespace blocks {

/// What a rank but the first does: runs the blocks that it is sent and sends back what they made,
/// until it is told that no more come. `identity` is what the first rank compares with its own.
void run_other_rank(const BlockJob&, int threads, const std::string& identity, Ranks&,
                    Interruption&);

}  // namespace blocks
}  // namespace tofn
