#pragma once

#include <string>
#include <vector>

#include "sim/blocks/block_job.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/blocks/ranks.hpp"
#include "sim/blocks/row_sink.hpp"

namespace tofn {
inline namespace blocks {

/// The job, and what one process needs for its part of it.
struct RankPart {
  const BlockJob& job;
  const BlockOptions& options;
  std::vector<IdentityPart> identity;
  Ranks* ranks;  ///< null: a process alone
  Interruption& interruption;
};

/// The first rank runs its own blocks, and passes on the rows of block after block, whosever they
/// are. Ends with all rows passed on, or with why not and as many of them safe as can be.
BlockOutcome run_first_rank(const RankPart&, RowSink&);

/// Another rank runs its own blocks and sends their rows to the first, until that says stop.
void run_other_rank(const RankPart&);

/// `3,000 of 10,000 points are kept in sweep.csv.part, --resume goes on`
std::string holdings(const BlockJob&, const RowSink&);

}  // namespace blocks
}  // namespace tofn
