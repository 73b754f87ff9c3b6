#pragma once

#include <span>

#include "sim/blocks/block_job.hpp"
#include "sim/blocks/interruption.hpp"
#include "sim/blocks/ranks.hpp"
#include "sim/blocks/row_sink.hpp"

namespace tofn {
inline namespace blocks {

/// What the first rank, or a process alone (no `ranks`), does: deals the blocks out, to its own
/// threads too, and passes on what they made, in order. Ends with all rows passed on, or with why
/// not and as many of them safe as can be.
BlockOutcome run_first_rank(const BlockJob&, const BlockOptions&,
                            std::span<const IdentityPart> identity, RowSink&, Ranks*,
                            Interruption&);

/// Tells the other ranks that no blocks come, and waits until they have heard.
void dismiss(Ranks&);

/// `3,000 of 10,000 points are kept in sweep.csv.part, --resume goes on`
std::string holdings(const BlockJob&, const RowSink&);

}  // namespace blocks
}  // namespace tofn
