#include "sim/report/study_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("a claim that is true but for something says for what on the screen") {
  StudyAnswer answer;
  const Claim claim{"bert", "is best near 8", nullptr};
  answer.claims = {{.claim = &claim,
                    .judgement = {.verdict = Verdict::TrueBut,
                                  .figures = "greatest E' 24 at 8",
                                  .exception = "of H100 alone it is no less at 4"}},
                   {.claim = &claim, .judgement = {.verdict = Verdict::True, .figures = ""}}};
  CHECK(claims_table(answer) ==
        "claims of the study on the efficiency E'\n"
        "true, but     bert is best near 8: of H100 alone it is no less at 4\n"
        "true          bert is best near 8\n\n");
}
