#include <cmath>

#include "sim/answers/compare_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/config/resolve.hpp"
#include "sim/published/backtest.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";

std::vector<BacktestRow> predicted() {
  static const Library library = Library::load(configs);
  Resolver resolver(library);
  const auto table = resolver.resolve(read_published_table(configs / "published/mlperf-gpt3.csv"));
  return backtest(table, {}, {.draws = 100});
}

}  // namespace

TEST_CASE("GPT-3's steps follow from dimensions: nothing of the benchmark calibrates them") {
  for (const BacktestRow& row : predicted()) {
    CHECK(row.role != Role::Calibration);
    if (row.role == Role::Skipped) CHECK_FALSE(row.skipped_because.empty());
  }
}

TEST_CASE("GPT-3's row whose steps outlast its clock is named") {
  for (const BacktestRow& row : predicted())
    if (row.row.inputs.system == "3072xBM.GPU.H100.8") {
      CHECK(row.contradiction.starts_with("its numbers contradict each other: 208 steps"));
    }
}
