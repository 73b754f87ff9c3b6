#include "sim/answers/study_answer.hpp"

#include "tests/catch.hpp"
#include "tests/unit/study/rows.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("two workloads are also clustered together, one is not") {
  const std::vector<NamedRow> rows{
      row_of("bert", "a", "H100", 8, 10), row_of("bert", "b", "H100", 16, 6),
      row_of("ssd", "a", "H100", 8, 20), row_of("ssd", "b", "H100", 16, 12)};
  const StudyAnswer both = answers::study_of(rows, {}, 1);
  REQUIRE(both.together);
  CHECK(both.together->rows.size() == 4);
  CHECK_FALSE(answers::study_of({rows[0], rows[1]}, {}, 1).together);
}
