#include "sim/study/clusters.hpp"

#include "tests/catch.hpp"
#include "tests/unit/study/rows.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("clusters are named by accelerator, then size, then E'") {
  // H100 rows have an E' of 1 at 4, of 1 and 1.0 at 8, and of 0.25 at 512; B200 rows have 3.
  const WorkloadStudy study =
      study_of({row_of("bert", "r", "H100", 4, 64), row_of("bert", "a", "H100", 8, 32),
                row_of("bert", "b", "H100", 8, 31.9), row_of("bert", "c", "H100", 512, 2),
                row_of("bert", "d", "H100", 512, 2.1), row_of("bert", "e", "B200", 8, 32.0 / 3),
                row_of("bert", "f", "B200", 8, 32.0 / 3 + 0.1)});
  const auto search = cluster_systems(study.rows, {}, 1);
  REQUIRE(search);
  REQUIRE(search->clusters.size() == 3);
  CHECK(search->silhouettes.size() == 4);
  CHECK(search->clusters[0].name == "N 4-8");  // B200's size 8 has its own cluster
  CHECK(search->clusters[1].name == "only B200");
  CHECK(search->clusters[2].name == "N 512");
  CHECK(search->clusters[0].members.size() == 3);
  CHECK_THAT(search->clusters[2].centre_accelerators, WithinRel(512.0, 1e-12));
  CHECK_THAT(search->clusters[2].efficiency.high, WithinRel(64.0 / 2 / 128, 1e-12));
}

TEST_CASE("clusters of the same accelerator and size are named by E'") {
  const WorkloadStudy study =
      study_of({row_of("bert", "a", "H100", 8, 20), row_of("bert", "b", "H100", 8, 19.9),
                row_of("bert", "c", "H100", 8, 10), row_of("bert", "d", "H100", 8, 10.1)});
  const auto search = cluster_systems(study.rows, 2, 1);
  REQUIRE(search);
  REQUIRE(search->clusters.size() == 2);
  const bool slow_first = search->clusters[0].centre_efficiency < 1.5;
  CHECK(search->clusters[slow_first ? 0 : 1].name == "E' 1.00-1.01");
  CHECK(search->clusters[slow_first ? 1 : 0].name == "E' 1.98-2.00");
}

TEST_CASE("too few distinct systems have no clusters") {
  const auto a = row_of("bert", "a", "H100", 8, 20);
  const auto b = row_of("bert", "b", "H100", 16, 10);
  CHECK_FALSE(cluster_systems(study_of({a}).rows, {}, 1));
  CHECK_FALSE(cluster_systems(study_of({a, a, b, b}).rows, {}, 1));
  const auto c = row_of("bert", "c", "H100", 32, 8);
  CHECK(cluster_systems(study_of({a, b, c}).rows, {}, 1));
  CHECK_FALSE(cluster_systems(study_of({a, b, c}).rows, 3, 1));
}
