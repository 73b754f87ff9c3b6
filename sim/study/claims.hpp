#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/study/workload_study.hpp"

namespace tofn {
inline namespace study {

enum class Verdict {
  True,
  TrueBut,  ///< the figures are so, for another reason than scaling or not throughout
  False,
  Untested,  ///< the table lacks the rows that it is about
};
std::string_view to_text(Verdict);

/// What a table's rows say of a claim, with the figures that decide it.
struct ClaimJudgement {
  Verdict verdict = Verdict::Untested;
  std::string figures;
};

/// One conclusion of the study (Cortes, Juiz, Bermejo, SARTECO 2025, arXiv 2509.03263).
struct Claim {
  std::string_view workload;
  std::string_view words;  ///< the study's, in short
  ClaimJudgement (*judge)(const WorkloadStudy&);
};

/// Every claim. Add one here: a row, with one of the tests of claim_tests.hpp.
std::span<const Claim> claims();

struct JudgedClaim {
  const Claim* claim = nullptr;
  ClaimJudgement judgement;
};

/// The claims on the workloads at hand.
std::vector<JudgedClaim> judge_claims(std::span<const WorkloadStudy>);

/// The largest run of the workload's commonest accelerator, and the smallest with that accelerator
/// and as many samples a step and accelerator: from one to the other the work of an accelerator's
/// step stays and the batch grows.
struct BatchGrowth {
  const StudyRow* small = nullptr;
  const StudyRow* large = nullptr;
  double loss = 1;     ///< E' of the small one over that of the large
  double samples = 1;  ///< part of it: growth of the samples to target
  double step = 1;     ///< part of it: growth of the step, communication included
  double rest = 1;     ///< evaluation, start-up, scoring: the three multiply to the loss
};

/// Absent: no such pair, or no step and samples of it.
std::optional<BatchGrowth> batch_growth(const WorkloadStudy&);

/// The accelerator that most rows have; the first of equals.
std::string commonest_accelerator(const WorkloadStudy&);

}  // namespace study
}  // namespace tofn
