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
  TrueBut,  ///< true, but not throughout, or for another reason than scaling
  False,
  Untested,  ///< the table lacks the rows for it
};
std::string_view to_text(Verdict);

/// Verdict of a table's rows on a claim, with the figures that decide it.
struct ClaimJudgement {
  Verdict verdict = Verdict::Untested;
  std::string figures;
  std::string exception{};  ///< of `TrueBut`, a sentence
};

/// One conclusion of the study (Cortes, Juiz, Bermejo, SARTECO 2025, arXiv 2509.03263).
struct Claim {
  std::string_view workload;
  std::string_view words;  ///< the study's, shortened: what the efficiency E' of the workload does
  ClaimJudgement (*judge)(const WorkloadStudy&);
};

/// Every claim. To add one, add a row with one of the tests of claim_tests.hpp.
std::span<const Claim> claims();

struct JudgedClaim {
  const Claim* claim = nullptr;
  ClaimJudgement judgement;
};

/// Judges the claims on the given workloads.
std::vector<JudgedClaim> judge_claims(std::span<const WorkloadStudy>);

/// The largest run of the workload's commonest accelerator, and the smallest with that accelerator
/// and as many samples per step and accelerator. Between them, the work of an accelerator's step
/// stays and the batch grows.
struct BatchGrowth {
  const StudyRow* small = nullptr;
  const StudyRow* large = nullptr;
  double loss = 1;     ///< E' of the small one over E' of the large one
  double samples = 1;  ///< factor of the loss: growth of the samples to target
  double step = 1;     ///< factor of the loss: growth of the step, with communication
  double rest = 1;     ///< factor of the loss: evaluation, start-up, scoring
};

/// Absent if there is no such pair, or if it lacks a step or samples.
std::optional<BatchGrowth> batch_growth(const WorkloadStudy&);

/// Accelerator of the most rows; of equal ones, the first.
std::string commonest_accelerator(const WorkloadStudy&);

}  // namespace study
}  // namespace tofn
