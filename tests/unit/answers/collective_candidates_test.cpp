#include "sim/answers/collective_candidates.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Verdict on a candidate cluster with slow or normal rows, or with rows faster than its links.
JudgedTable judged_as(const std::string& cluster, bool is_slow, const std::string& impossible = {},
                      std::size_t rows = 4) {
  JudgedTable judged;
  judged.cluster = cluster;
  judged.judgement.rows.resize(rows);
  judged.judgement.impossible = impossible;
  if (is_slow) judged.judgement.slow = SlowBand{.first = 0, .last = 3, .factor = 2};
  return judged;
}

std::optional<bool> verdict_on(std::vector<JudgedTable> candidates) {
  return OpenVerdict{.candidates = std::move(candidates), .machine_by = {}}.is_normal();
}

}  // namespace

TEST_CASE("candidates agree where each that its links allow is judged the same") {
  CHECK(verdict_on({judged_as("a", false), judged_as("b", false)}) == true);
  CHECK(verdict_on({judged_as("a", true), judged_as("b", true)}) == false);
  CHECK(verdict_on({judged_as("a", true), judged_as("b", false)}) == std::nullopt);
  CHECK(verdict_on({judged_as("a", false), judged_as("b", false, "too fast")}) == true);
  CHECK(verdict_on({judged_as("a", false, "too fast"), judged_as("b", false, "too fast")}) ==
        false);
  CHECK(verdict_on({judged_as("a", false, {}, 1), judged_as("b", false, {}, 1)}) == std::nullopt);
}
