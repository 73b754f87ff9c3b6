#pragma once

#include "sim/study/claims.hpp"

namespace tofn {
inline namespace study {

// Tests of claims in words against the figures. E' is the study's. If it compares different
// accelerators or hides a larger batch, the verdict is `true, but`, and the figures state why.

/// The greatest E' is at `accelerators`.
ClaimJudgement is_best_at(const WorkloadStudy&, int accelerators);

/// Every E' of systems from `first` accelerators up is below the median of full servers.
ClaimJudgement falls_from(const WorkloadStudy&, int first);

/// E' at `accelerators` is within a factor of 2 of the reference's 1.
ClaimJudgement is_comparable_with_reference(const WorkloadStudy&, int accelerators);

/// No E' at `least` to `most` accelerators is below 1, and their median is above it.
ClaimJudgement is_above_one(const WorkloadStudy&, int least, int most);

/// The median E' at `least` to `most` accelerators is at least three quarters of the reference's.
ClaimJudgement is_high(const WorkloadStudy&, int least, int most);

/// E' at `accelerators` is at most a quarter of the reference's.
ClaimJudgement is_low(const WorkloadStudy&, int accelerators);

}  // namespace study
}  // namespace tofn
