// Compares the best of inner axes with all points of the grid.
#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/training/stated_run.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/sweep/swept.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string head =
    "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n  cluster: dgx-h100\n  batch: 64\n"
    "  tokens: 1B\n  cp: 1\n  sequence_parallel: true\n  sharded: optimizer\n";
const std::string outer = "  - accelerators: [1, 8, 32, 64]\n";
const std::string inner =
    "  - tp: [1, 2, 4]\n  - pp: [1, 2, 4]\n  - chunks: [1, 2]\n  - micro_batch: [1, 2]\n"
    "  - recompute: [none, full]\n";
const std::string of = "best: {of: [tp, pp, chunks, micro_batch, recompute], by: least step_s}\n";
const std::string fits_memory = "constraints: [fits_memory]\n";
const std::string columns = "columns: [step_s, mfu]\n";

/// Shortest step by events for each number of accelerators, over every point of the grid.
std::map<std::string, double> shortest_by_events() {
  Swept all(head + "axes:\n" + outer + inner + fits_memory + columns);
  std::map<std::string, double> shortest;
  for (const Row& row : all.rows()) {
    PointMaker maker(all.sources);
    Point point = maker.plan(std::stoull(row.at("point")));
    maker.add_time(point, true);
    double& least = shortest.emplace(row.at("accelerators"), 1e300).first->second;
    least = std::min(least, point.times->total.base());
  }
  return shortest;
}

}  // namespace

TEST_CASE("the best of inner axes is the shortest of all their points by events") {
  Swept best(head + "axes:\n" + outer + inner + fits_memory + of + columns);
  const auto rows = best.rows();
  const auto shortest = shortest_by_events();
  REQUIRE(rows.size() == 3);  // 8 billion parameters do not fit one accelerator
  CHECK(shortest.size() == 3);
  for (const Row& row : rows) {
    INFO(row.at("accelerators"));
    CHECK_THAT(number(row.at("step_s")), WithinRel(shortest.at(row.at("accelerators")), 1e-8));
  }
  CHECK(best.maker.left_out().empty == 1);
}

TEST_CASE(
    "where axes of the best stand in a file changes no row, and rows are whole in any block") {
  const auto without_point = [](std::vector<Row> rows) {
    for (Row& row : rows) row.erase("point");
    return rows;
  };
  Swept last(head + "axes:\n" + outer + inner + fits_memory + of + columns);
  Swept first(head + "axes:\n" + inner + outer + fits_memory + of + columns);
  CHECK(last.sweep.points_of_a_row() == 72);
  CHECK(without_point(first.rows()) == without_point(last.rows()));
  std::string parts;
  for (std::uint64_t row = 0; row < last.sweep.points(); row += 72)
    parts += RowMaker(last.sources, last.layout).rows(row, row + 72);
  CHECK(parts == last.maker.rows(0, last.sweep.points()));
}

TEST_CASE("the best makes the same choice as a selection for each outer point") {
  const std::string select = "select: {top: 1, by: most mfu, for_each: [accelerators]}\n";
  Swept chosen(head + "axes:\n" + outer + inner + fits_memory + select + columns);
  std::vector<std::uint64_t> points;
  for (const Row& row : chosen.rows()) points.push_back(std::stoull(row.at("point")));
  Swept best(head + "axes:\n" + outer + inner + fits_memory +
             "best: {of: [tp, pp, chunks, micro_batch, recompute], by: most mfu}\n" + columns);
  const auto rows = best.rows();
  CHECK(rows == chosen.table(chosen.maker.selected_rows(points)));
}

TEST_CASE("figures of a run are those of the best plan, and can choose among the rows") {
  Swept best(head + "axes:\n" + outer + inner + fits_memory + of +
             "columns: [dp, step_s, days, cost_usd, energy_kwh]\n");
  const auto rows = best.rows();
  REQUIRE(rows.size() == 3);
  const KernelProfile stack = find_kernel_profile(shipped_configs(), default_stack);
  for (const Row& row : rows) {
    Plan plan;
    plan.tensor_parallel_size = std::stoi(row.at("tp"));
    plan.pipeline_parallel_size = std::stoi(row.at("pp"));
    plan.chunks_per_stage = std::stoi(row.at("chunks"));
    plan.recompute = row.at("recompute") == "full" ? Recompute::Full : Recompute::None;
    plan.sharded = Sharded::Optimizer;
    plan.sequence_parallel = true;
    const int accelerators = std::stoi(row.at("accelerators"));
    const int dp = std::stoi(row.at("dp"));
    plan.gradient_accumulation = 64 / dp / std::stoi(row.at("micro_batch"));
    plan = make_plan(plan, accelerators, 64);
    const double samples = 1e9 / 8192;
    const RunEstimate job = estimate(
        {.stretches = {stretch_of({},
                                  simulate_step(find_model(shipped_configs(), "llama3-8b"), plan,
                                                shipped_library().cluster("dgx-h100"), stack),
                                  samples, 0, stack)}});
    CHECK_THAT(number(row.at("step_s")), WithinRel(job.expected.step_seconds, 1e-8));
    CHECK_THAT(number(row.at("days")), WithinRel(job.expected.days, 1e-8));
    CHECK_THAT(number(row.at("cost_usd")), WithinRel(job.expected.usd, 1e-8));
    CHECK_THAT(number(row.at("energy_kwh")), WithinRel(job.expected.kilowatt_hours, 1e-8));
  }
  Swept cheapest(head + "axes:\n" + outer + inner + fits_memory + of +
                 "columns: [days]\nselect: {top: 1, by: least cost_usd}\n");
  std::vector<std::uint64_t> points;
  for (const Row& row : cheapest.rows()) points.push_back(std::stoull(row.at("point")));
  const auto chosen = cheapest.table(cheapest.maker.selected_rows(points));
  REQUIRE(chosen.size() == 1);
  const auto least = std::min_element(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return number(a.at("cost_usd")) < number(b.at("cost_usd"));
  });
  CHECK(chosen[0].at("accelerators") == least->at("accelerators"));
}

TEST_CASE("the best of every axis is the best of all points") {
  Swept swept(head + "  accelerators: 32\naxes:\n" + inner + fits_memory + of + columns);
  REQUIRE(swept.sweep.select.has_value());
  CHECK_FALSE(swept.sweep.best.has_value());
  CHECK(swept.sweep.select->top == 1);
  CHECK(swept.sweep.points_of_a_row() == 1);
}

TEST_CASE("a neutral choice outside of the best has its row, inside it is tried once") {
  const std::string choices =
      "constraints: [fits_memory >= 0]\naxes:\n  - sequence_parallel: [false, true]\n  - tp: [1]\n";
  const std::string base = head.substr(0, head.find("  sequence_parallel")) +
                           "  plan: data-parallel\n  accelerators: 8\n";
  Swept outside(base + choices + "best: {of: [tp], by: least step_s}\n" + columns);
  CHECK(outside.rows().size() == 2);
  CHECK(outside.maker.left_out().repeated.count == 0);
  Swept inside(base + choices + "  - micro_batch: [1]\n" +
               "best: {of: [sequence_parallel, tp], by: least step_s}\n" + columns);
  CHECK(inside.rows().size() == 1);
  CHECK(inside.maker.left_out().repeated.count == 1);
}

TEST_CASE("a bad best is refused in a line") {
  const auto stated = [](const std::string& text) {
    return refusal([&] { Swept swept(head + "axes:\n" + outer + inner + text + columns); });
  };
  CHECK_THAT(stated("best: {of: [tpp], by: least step_s}\n"),
             ContainsText("best.of: unknown axis name 'tpp', did you mean 'tp'? valid axis names: "
                          "accelerators, tp, pp, chunks, micro_batch, recompute"));
  CHECK_THAT(stated("best: {of: [], by: least step_s}\n"),
             ContainsText("needs of: the axes of which the best is taken, e.g. [tp, pp]"));
  CHECK_THAT(stated("best: {of: [tp], by: step_s}\n"),
             ContainsText("expected e.g. 'least step_s'"));
  CHECK_THAT(stated("best: {of: [tp], by: least bottleneck}\n"),
             ContainsText("'bottleneck' is text: a goal is a number"));
  CHECK_THAT(stated("best: {of: [tp]}\n"), ContainsText("by"));
}
