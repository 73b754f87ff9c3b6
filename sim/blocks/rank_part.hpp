#pragma once

#include <string>
#include <vector>

#include "sim/blocks/block_job.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/blocks/ranks.hpp"
#include "sim/blocks/row_sink.hpp"

namespace tofn {
inline namespace blocks {

/// A job, and what one process needs for its part.
struct RankPart {
  const BlockJob& job;
  const BlockOptions& options;
  std::vector<IdentityPart> identity;
  Ranks* ranks;  ///< null if the process is alone
  Interruption& interruption;
};

/// The first rank runs its own blocks, and passes on the rows of all blocks in order, from every
/// rank. It ends when all are passed on, or with the failure and as many safe rows as possible.
BlockOutcome run_first_rank(const RankPart&, RowSink&);

/// Another rank runs its own blocks and sends their rows to the first, until that sends Stop.
void run_other_rank(const RankPart&);

/// Text on the kept rows: `3,000 of 10,000 points are kept in sweep.csv.part, --resume goes on`
std::string holdings(const BlockJob&, const RowSink&);

}  // namespace blocks
}  // namespace tofn
