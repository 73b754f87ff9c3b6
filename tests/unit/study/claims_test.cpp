#include "sim/study/claims.hpp"

#include "sim/study/claim_tests.hpp"
#include "tests/catch.hpp"
#include "tests/unit/study/rows.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Verdict verdict(const ClaimJudgement& judgement) { return judgement.verdict; }

/// An H100 row with the E' of `efficiency`, against 60 minutes on 4 of the same.
NamedRow h100(int accelerators, double efficiency) {
  return row_of("bert", std::to_string(accelerators), "H100", accelerators,
                60.0 * 4 / accelerators / efficiency);
}

NamedRow other(const std::string& name, int accelerators, double efficiency) {
  NamedRow row = h100(accelerators, efficiency);
  row.accelerator = name;
  row.row.inputs.system += name;
  return row;
}

const NamedRow reference = h100(4, 1);

}  // namespace

TEST_CASE("best at a size: true, true of another accelerator, false") {
  CHECK(verdict(is_best_at(study_of({reference, h100(8, 1.2), h100(16, 0.9)}), 8)) ==
        Verdict::True);
  CHECK(verdict(is_best_at(study_of({reference, h100(8, 0.9), h100(16, 0.8), other("B200", 8, 2)}),
                           8)) == Verdict::TrueBut);
  CHECK(verdict(is_best_at(study_of({reference, h100(8, 0.9)}), 8)) == Verdict::False);
  // Another size is equally good, so the best one is not unique.
  const ClaimJudgement judgement =
      is_best_at(study_of({reference, h100(8, 2), h100(16, 2), h100(32, 2)}), 8);
  CHECK(judgement.verdict == Verdict::TrueBut);
  CHECK(judgement.exception == "of H100 alone it is no less at 16 and 32");
}

TEST_CASE("every verdict but true has its exception") {
  for (const ClaimJudgement& judgement :
       {falls_from(study_of({reference, h100(8, 1), other("A100", 16, 0.2), h100(64, 0.7)}), 16),
        is_comparable_with_reference(study_of({reference, other("B200", 512, 1.9)}), 512),
        is_low(study_of({measured_row("s", 8, 16, 8, 1000, 100),
                         measured_row("l", 512, 2, 512, 2000, 100)}),
               512),
        falls_from(study_of({measured_row("s", 8, 16, 8, 1000, 100),
                             measured_row("l", 64, 4.4, 64, 2000, 100)}),
                   16)}) {
    INFO(judgement.figures);
    CHECK(judgement.verdict == Verdict::TrueBut);
    CHECK_FALSE(judgement.exception.empty());
  }
}

TEST_CASE("falls from a size: against full servers, with N or with the accelerator") {
  CHECK(verdict(falls_from(study_of({reference, h100(8, 1), h100(16, 0.8), h100(64, 0.5)}), 16)) ==
        Verdict::True);
  // Differences of up to ten percent do not count.
  CHECK(verdict(falls_from(study_of({reference, h100(8, 1), h100(16, 0.8), h100(64, 0.85)}), 16)) ==
        Verdict::True);
  const ClaimJudgement mixed = falls_from(
      study_of({reference, h100(8, 1), other("A100", 16, 0.2), h100(64, 0.7), h100(128, 0.6)}), 16);
  CHECK(mixed.verdict == Verdict::TrueBut);
  CHECK_THAT(mixed.figures, ContainsText("with the accelerator; H100 against 8 of the same: 0.700 "
                                         "at 64, 0.600 at 128"));
  CHECK(verdict(falls_from(study_of({reference, h100(8, 1), h100(16, 1.1)}), 16)) ==
        Verdict::False);
  CHECK(verdict(falls_from(study_of({reference, h100(8, 1)}), 16)) == Verdict::Untested);
  CHECK(verdict(falls_from(study_of({reference, h100(16, 0.8)}), 16)) == Verdict::Untested);
}

TEST_CASE("a loss between equal steps is the batch's") {
  // 8 times the accelerators and the batch need twice the samples with equal steps, so 4 times as
  // fast.
  const WorkloadStudy study =
      study_of({measured_row("s", 8, 16, 8, 1000, 100), measured_row("m", 16, 8.5, 16, 1000, 105),
                measured_row("l", 64, 4.4, 64, 2000, 100)});
  const auto growth = batch_growth(study);
  REQUIRE(growth);
  CHECK(growth->small->accelerators() == 8);
  CHECK(growth->large->accelerators() == 64);
  CHECK_THAT(growth->loss, WithinRel(2.2, 1e-12));  // 4.4 x 64 / (16 x 8)
  CHECK(growth->samples == 2);
  CHECK(growth->step == 1);
  CHECK_THAT(growth->rest, WithinRel(1.1, 1e-12));
  const ClaimJudgement judgement = falls_from(study, 16);
  CHECK(judgement.verdict == Verdict::TrueBut);
  CHECK_THAT(judgement.figures, ContainsText("samples 2.00 (batch 8 -> 64: 1000 -> 2000) x step "
                                             "1.00 (100 -> 100 ms)"));
}

TEST_CASE("a loss of a slower step is not the batch's") {
  // The loss is 4.4: 2.2 times the samples and twice the step.
  const WorkloadStudy study =
      study_of({measured_row("s", 8, 16, 8, 1000, 100), measured_row("l", 64, 8.8, 64, 2200, 200)});
  CHECK(falls_from(study, 16).verdict == Verdict::True);
  const WorkloadStudy other_share =
      study_of({measured_row("s", 8, 16, 8, 1000, 100), measured_row("l", 64, 4.4, 32, 2000, 100)});
  CHECK_FALSE(batch_growth(other_share));
}

TEST_CASE("comparable is within a factor of two, and of the same accelerator") {
  CHECK(verdict(is_comparable_with_reference(study_of({reference, h100(512, 0.6)}), 512)) ==
        Verdict::True);
  CHECK(verdict(is_comparable_with_reference(study_of({reference, other("B200", 512, 1.9)}),
                                             512)) == Verdict::TrueBut);
  CHECK(verdict(is_comparable_with_reference(study_of({reference, h100(512, 0.4)}), 512)) ==
        Verdict::False);
  CHECK(verdict(is_comparable_with_reference(study_of({reference}), 512)) == Verdict::Untested);
}

TEST_CASE("above one: all, most, not") {
  CHECK(verdict(is_above_one(study_of({reference, h100(8, 1.1), h100(8, 1.2)}), 4, 8)) ==
        Verdict::True);
  CHECK(verdict(is_above_one(study_of({reference, h100(8, 0.9), h100(8, 1.2), h100(8, 1.3)}), 4,
                             8)) == Verdict::TrueBut);
  CHECK(verdict(is_above_one(study_of({reference, h100(8, 0.9)}), 4, 8)) == Verdict::False);
  CHECK(verdict(is_above_one(study_of({reference}), 8, 8)) == Verdict::Untested);
}

TEST_CASE("high and low are shares of the reference's efficiency") {
  CHECK(verdict(is_high(study_of({reference, h100(8, 0.8)}), 8, 8)) == Verdict::True);
  CHECK(verdict(is_high(study_of({reference, h100(8, 0.7)}), 8, 8)) == Verdict::False);
  CHECK(verdict(is_low(study_of({reference, h100(512, 0.3)}), 512)) == Verdict::False);
  CHECK(verdict(is_low(study_of({reference, h100(512, 0.2)}), 512)) == Verdict::True);
  CHECK(verdict(is_low(study_of({measured_row("s", 8, 16, 8, 1000, 100),
                                 measured_row("l", 512, 2, 512, 2000, 100)}),
                       512)) == Verdict::TrueBut);
}

// The claims hold at each size that they name, and fail at the sizes beside it.
TEST_CASE("each claim asks for the sizes that it names") {
  const auto judge = [](std::string_view workload, std::string_view words,
                        const std::vector<NamedRow>& rows) {
    for (const Claim& claim : claims())
      if (claim.workload == workload && claim.words == words)
        return claim.judge(study_of(rows)).verdict;
    return Verdict::Untested;
  };
  const std::vector<NamedRow> peak{h100(4, 0.9), h100(7, 1.1), h100(8, 1.2), h100(9, 1.1)};
  CHECK(judge("bert", "is best near 8", peak) == Verdict::True);
  const std::vector<NamedRow> falling{reference, h100(8, 1), h100(15, 1.3), h100(16, 0.8),
                                      h100(64, 0.5)};
  CHECK(judge("bert", "falls past 16", falling) == Verdict::True);
  CHECK(judge("llama2_70b_lora", "falls from 16", falling) == Verdict::True);
  CHECK(judge("stable_diffusion", "falls from 16", falling) == Verdict::True);
  CHECK(judge("bert", "is comparable at 3472 with the reference's 2",
              {reference, h100(3471, 0.1), h100(3472, 0.9), h100(3473, 0.1)}) == Verdict::True);
  CHECK(judge("llama2_70b_lora", "is above 1 at 4 to 8",
              {h100(3, 0.1), reference, h100(4, 1.1), h100(8, 1.1), h100(9, 0.1)}) ==
        Verdict::True);
  CHECK(judge("llama2_70b_lora", "is above 1 at 4 to 8", {reference, h100(8, 0.5)}) ==
        Verdict::False);
  CHECK(judge("retinanet", "is high at 8", {reference, h100(7, 0.1), h100(8, 0.9), h100(9, 0.1)}) ==
        Verdict::True);
  CHECK(judge("retinanet", "is low at 2528",
              {reference, h100(2527, 0.9), h100(2528, 0.1), h100(2529, 0.9)}) == Verdict::True);
  const std::vector<NamedRow> high{reference, h100(5, 0.7), h100(8, 0.7), h100(9, 2), h100(10, 2)};
  CHECK(judge("stable_diffusion", "is moderate to high at 4 to 8", high) == Verdict::False);
}

TEST_CASE("a row without its step or its samples shows no growth") {
  NamedRow large = measured_row("l", 64, 4.4, 64, 2000, 100);
  const NamedRow small = measured_row("s", 8, 16, 8, 1000, 100);
  REQUIRE(batch_growth(study_of({small, large})));
  large.row.outcome.step_ms.reset();
  CHECK_FALSE(batch_growth(study_of({small, large})));
  large = measured_row("l", 64, 4.4, 64, 2000, 100);
  large.row.outcome.samples.reset();
  CHECK_FALSE(batch_growth(study_of({small, large})));
}
