#include "sim/config/file_keys.hpp"

#include <algorithm>
#include <set>

#include "sim/core/quantity_text.hpp"
#include "sim/expense/expense.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

FileKey key_of(std::string_view kind, std::string_view key) {
  const auto keys = file_keys(kind);
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const auto& each) { return each.key == key; });
  REQUIRE(found != keys.end());
  return *found;
}

}  // namespace

TEST_CASE("a key of a file has its unit or choices, its default and its meaning") {
  const FileKey start_up = key_of("run", "start_up");
  CHECK(start_up.kind == "run");
  CHECK(start_up.value.starts_with("a time, such as "));
  CHECK_FALSE(start_up.default_value.empty());
  CHECK(key_of("run", "model").default_value == "required");
  CHECK(key_of("run", "failures.every").default_value == to_text(default_time_to_failure, 6));
  CHECK(key_of("run", "failures.restart").default_value == to_text(default_restart, 6));
  CHECK(key_of("run", "checkpoints.takes").default_value == to_text(default_checkpoint, 6));
  CHECK(key_of("run", "phases[].batch.over").value == "such as 12B tokens");
  CHECK(key_of("run", "phases[].most_accelerators").value == "whole number");
  CHECK(key_of("quote", "quoted.counts_recomputation").default_value == "false");
  CHECK(key_of("quote", "run.phases[].steps").default_value.empty());
  CHECK(key_of("plan", "settings.cuda_graphs").value == "none, segmented, layer, full_iteration");
  CHECK(key_of("stack", "reported_memory").value == "allocated, reserved, device");
  CHECK(key_of("plan", "tensor_parallel").default_value == "required");
}

TEST_CASE("every key of a kind of file is listed once and says what it means") {
  std::set<std::pair<std::string, std::string>> seen;
  for (const FileKey& each : file_keys()) {
    INFO(each.kind << ' ' << each.key);
    CHECK_FALSE(each.meaning.empty());
    CHECK_FALSE(each.value.empty());
    CHECK(seen.emplace(each.kind, each.key).second);
  }
}

TEST_CASE("a kind of file without rows is refused with those that have them") {
  CHECK_THAT(refusal([] { file_keys("rum"); }),
             ContainsText("unknown kind 'rum'") && ContainsText("run"));
}
