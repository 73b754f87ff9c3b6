#include <algorithm>
#include <string>

#include "sim/evidence/shipped.hpp"
#include "sim/study/waterfall.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Tests the causes of lost efficiency in the published runs of round 4.1.
using namespace tofn;
using namespace tofn::test;

namespace {

const std::vector<Waterfall>& shipped_losses() {
  static const std::vector<Waterfall> made = [] {
    Shipped shipped(configs);
    const auto table = shipped.resolved(default_published_table(configs));
    return waterfalls(backtest(table, shipped.rows(), {}));
  }();
  return made;
}

double minutes_of(const std::vector<PublishedRow>& table, const Waterfall& loss,
                  const std::string& system) {
  const auto row = std::find_if(table.begin(), table.end(), [&](const PublishedRow& each) {
    return each.inputs.benchmark == loss.workload && each.full_name() == system;
  });
  REQUIRE(row != table.end());
  return row->outcome.official_minutes.value();
}

}  // namespace

TEST_CASE("the factors of every published loss multiply to it exactly") {
  const auto table = read_published_table(default_published_table(configs));
  CHECK(shipped_losses().size() > 25);
  for (const Waterfall& loss : shipped_losses()) {
    INFO(loss.workload << ' ' << loss.system);
    for (const Losses& kept : {loss.measured, loss.predicted})
      CHECK_THAT(kept.samples * kept.step * kept.evaluation * kept.start_up * kept.score,
                 WithinRel(kept.total, 1e-12));
    CHECK_THAT(loss.measured.total,
               WithinRel(minutes_of(table, loss, loss.base_system) * 8 /
                             (minutes_of(table, loss, loss.system) * loss.accelerators),
                         1e-9));
    const StepLosses& step = loss.predicted_step;
    CHECK_THAT(step.granularity * step.communication * step.waiting,
               WithinRel(loss.predicted.step, 1e-9));
  }
}

TEST_CASE("LoRA's collapse past 128 GPUs is samples, not steps") {
  int seen = 0;
  for (const Waterfall& loss : shipped_losses()) {
    if (loss.workload != "llama2_70b_lora" || loss.accelerators <= 128) continue;
    if (loss.accelerator != "H100 SXM") continue;
    ++seen;
    CHECK(loss.measured.samples < 0.4);
    CHECK(loss.measured.step > 0.8);
    CHECK(loss.predicted_step.communication > 0.99);
  }
  CHECK(seen == 2);
}
