#include "sim/study/workload_study.hpp"

#include "tests/catch.hpp"
#include "tests/unit/study/rows.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a workload's rows against its reference, the same accelerator and full servers") {
  const WorkloadStudy study =
      study_of({row_of("bert", "big", "H100", 64, 2), row_of("bert", "a", "H100", 8, 10),
                row_of("bert", "b", "H100", 8, 12), row_of("bert", "c", "H100", 8, 14),
                row_of("bert", "old", "A5000", 2, 300), row_of("bert", "older", "A5000", 2, 320)});
  REQUIRE(study.rows.size() == 6);
  CHECK(study.reference_row().published.inputs.system == "older");
  const StudyRow& big = study.rows.back();
  CHECK(big.accelerators() == 64);
  CHECK(big.speedup == 160);              // 320 / 2
  CHECK(big.efficiency == 2.5);           // 160 / 64
  CHECK(big.relative_efficiency == 5);    // 160 / (64 / 2)
  CHECK(big.own_efficiency == 0.875);     // 14 min on 8, the slowest: (14 / 2) / 8
  CHECK(big.scaling_efficiency == 0.75);  // 12 min on 8, the median: (12 / 2) / 8
  CHECK_FALSE(study.reference_row().scaling_efficiency);
  CHECK(study.reference_row().own_efficiency == 1);
}

TEST_CASE("workloads are studied apart, and rows without a time left out") {
  NamedRow untimed = row_of("gpt", "x", "H100", 1, 1);
  untimed.row.outcome.official_minutes.reset();
  const std::vector<NamedRow> rows{
      row_of("bert", "x", "H100", 8, 10), row_of("lora", "x", "H100", 4, 60), untimed,
      row_of("lora", "y", "H100", 8, 30), row_of("lora", "y", "H100", 16, 20)};
  const auto studies = study_workloads(rows);
  REQUIRE(studies.size() == 2);
  CHECK(studies[0].workload == "bert");
  CHECK(studies[1].rows.size() == 3);
  CHECK(systems_in_every_workload(studies) == std::vector<std::string>{"Test/x"});
}

TEST_CASE("rows that report the same runs are found") {
  const WorkloadStudy study = study_of({measured_row("a", 8, 10.12345, 64, 1000.5, 7.25),
                                        measured_row("a-power", 8, 10.12345, 64, 1000.5, 7.25),
                                        measured_row("b", 8, 10.12346, 64, 1001.5, 7.26)});
  const auto repeated = repeated_rows(study);
  REQUIRE(repeated.size() == 1);
  CHECK(repeated.front()->published.inputs.system == "a-power");
}
