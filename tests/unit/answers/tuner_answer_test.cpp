#include "sim/answers/tuner_answer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/config/library.hpp"
#include "sim/report/tuner_file.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// One node of H100 whose pipelines take twelve times as long to fill, so that NCCL reduces in the
/// switch where rings are faster.
TunerRequest slow_filling() {
  TunerRequest request{.cluster = "slow", .communicator = {}};
  request.communicator = place({1, 8}, Library::load(configs).cluster("dgx-h100"), 8);
  request.communicator.scale_up.filling = 12;
  return request;
}

}  // namespace

TEST_CASE("NCCL's choice leaves out the time in which pipelines fill") {
  const TunerRequest request = slow_filling();
  const Bytes size{2e6};
  const Algorithm& choice = tuner_choice(CollectiveKind::AllReduce, size, request.communicator);
  CHECK(choice.name == "in-switch");
  const Algorithm& best =
      chosen_algorithm(CollectiveKind::AllReduce, size, request.communicator, false);
  CHECK(best.name == "ring");
  const TunerGain gain = gain_over(best, choice, size, request.communicator);
  const double ratio = choice.time(size, request.communicator, fitted_ramps()) /
                       best.time(size, request.communicator, fitted_ramps());
  CHECK_THAT(gain.expected, WithinRel(ratio - 1, 1e-12));
  REQUIRE(gain.range);
  CHECK_THAT((gain.range->low + 1) * (gain.range->high + 1), WithinRel(ratio * ratio, 1e-12));
}

TEST_CASE("rows are sure where the interval of a measured pair has only gains") {
  const TunerAnswer answer = tuner_answer(slow_filling());
  REQUIRE_FALSE(answer.sure.empty());
  REQUIRE_FALSE(answer.unsure.empty());
  for (const TunerRow& row : answer.sure) {
    CHECK(row.least.range.value().low > 0);
    CHECK(row.kind == CollectiveKind::AllReduce);
    CHECK(row.from <= row.to);
    CHECK(row.least.expected <= row.most.expected);
  }
  for (const TunerRow& row : answer.unsure) CHECK(row.least.expected >= 0.1);
}

TEST_CASE("rows of one collective do not overlap") {
  TunerRequest request = slow_filling();
  request.kind = CollectiveKind::AllReduce;
  const TunerAnswer answer = tuner_answer(request);
  std::vector<TunerRow> rows = answer.sure;
  rows.insert(rows.end(), answer.unsure.begin(), answer.unsure.end());
  std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.from < b.from; });
  for (std::size_t i = 1; i < rows.size(); ++i) CHECK(rows[i - 1].to < rows[i].from);
}

TEST_CASE("rows of one collective that say alike leave no size between them out") {
  // On eight nodes the tree's protocol stays while NCCL's choice changes once.
  TunerRequest request{.cluster = "dgx-h100", .communicator = {}, .kind = {}};
  request.communicator = place({1, 64}, Library::load(configs).cluster("dgx-h100"), 64);
  request.kind = CollectiveKind::AllReduce;
  const std::vector<TunerRow> rows = tuner_answer(request).unsure;
  REQUIRE(rows.size() >= 2);
  CHECK(rows[0].algorithm == rows[1].algorithm);
  CHECK(rows[0].to + Bytes{1} == rows[1].from);
  const std::string text = tuner_file(tuner_answer(request));
  // Five sizes from the first byte of a row to its last.
  const double step = std::floor((rows[0].to - rows[0].from).base() / 4);
  CHECK_THAT(text, ContainsText(fmt::format("all_reduce_perf -b {:.0f} -e {:.0f} -i {:.0f} -g 1",
                                            rows[0].from.base(), rows[0].to.base(), step)));
}

TEST_CASE("a pair that no table has measured is never sure") {
  const Communicator c = place({1, 1024}, Library::load(configs).cluster("aws-p5"), 1024);
  for (const TunerRow& row : tuner_answer({.cluster = "aws-p5", .communicator = c}).unsure)
    CHECK_FALSE(row.least.range);
  CHECK(tuner_answer({.cluster = "aws-p5", .communicator = c}).sure.empty());
}

TEST_CASE("clusters of other libraries are refused") {
  Communicator c = slow_filling().communicator;
  c.library = CollectiveLibrary::Mpi;
  CHECK_THAT(refusal([&] { tuner_answer({.cluster = "abci", .communicator = c}); }),
             ContainsText("--emit: nccl-tuner is for clusters that run NCCL, which abci does not"));
}

TEST_CASE("the tuner's file has the plugin's columns, and unsure rows as comments") {
  const TunerAnswer answer = tuner_answer(slow_filling());
  const std::string text = tuner_file(answer);
  const TunerRow& row = answer.sure.front();
  REQUIRE(row.algorithm->name == "in-switch");
  CHECK_THAT(text, ContainsText(fmt::format("\nallreduce,{:.0f},{:.0f},nvls,simple,-1,1,8,-1,-1\n",
                                            row.from.base(), row.to.base())));
  CHECK_THAT(text, ContainsText("; 90 % interval of the least "));
  CHECK_THAT(text, ContainsText("NCCL_TUNER_CONFIG_FILE"));
  CHECK_THAT(text, ContainsText("all_reduce_perf -b "));
  // The plugin reads at most 255 characters a line and ten columns.
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    const std::string each = text.substr(start, end - start);
    CHECK(each.size() < 256);
    if (!each.starts_with('#')) CHECK(std::count(each.begin(), each.end(), ',') == 9);
    start = end + 1;
  }
}
