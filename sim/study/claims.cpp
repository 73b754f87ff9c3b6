#include "sim/study/claims.hpp"

#include <array>

#include "sim/study/claim_tests.hpp"

namespace tofn {
inline namespace study {

std::string_view to_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::True:
      return "true";
    case Verdict::TrueBut:
      return "true, but";
    case Verdict::False:
      return "false";
    case Verdict::Untested:
      break;
  }
  return "untested";
}

std::span<const Claim> claims() {
  using Study = WorkloadStudy;
  static constexpr std::array table{
      Claim{"bert", "is best near 8", [](const Study& s) { return is_best_at(s, 8); }},
      Claim{"bert", "falls past 16", [](const Study& s) { return falls_from(s, 16); }},
      Claim{"bert", "is comparable at 3472 with the reference's 2",
            [](const Study& s) { return is_comparable_with_reference(s, 3472); }},
      Claim{"llama2_70b_lora", "is above 1 at 4 to 8",
            [](const Study& s) { return is_above_one(s, 4, 8); }},
      Claim{"llama2_70b_lora", "falls from 16", [](const Study& s) { return falls_from(s, 16); }},
      Claim{"retinanet", "is high at 8", [](const Study& s) { return is_high(s, 8, 8); }},
      Claim{"retinanet", "is low at 2528", [](const Study& s) { return is_low(s, 2528); }},
      Claim{"stable_diffusion", "is moderate to high at 4 to 8",
            [](const Study& s) { return is_high(s, 4, 8); }},
      Claim{"stable_diffusion", "falls from 16", [](const Study& s) { return falls_from(s, 16); }},
  };
  return table;
}

std::vector<JudgedClaim> judge_claims(std::span<const WorkloadStudy> studies) {
  std::vector<JudgedClaim> judged;
  for (const Claim& claim : claims())
    for (const WorkloadStudy& study : studies)
      if (study.workload == claim.workload)
        judged.push_back({.claim = &claim, .judgement = claim.judge(study)});
  return judged;
}

}  // namespace study
}  // namespace tofn
