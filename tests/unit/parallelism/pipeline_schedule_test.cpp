#include "sim/parallelism/pipeline_schedule.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("each schedule's traits stand where its value looks for them") {
  for (const ScheduleTraits& each : schedule_traits) {
    INFO(each.name);
    CHECK(traits_of(each.schedule).name == each.name);
    CHECK_FALSE((each.forwards_first && each.splits_backward));  // nothing is left to fill
  }
}

TEST_CASE("every chunk holds one part of the model, and neighbouring parts follow each other") {
  const int stages = 4;
  for (const ScheduleTraits& each : schedule_traits)
    for (int part = 0; part < 3 * stages; ++part) {
      const ChunkPlace at = each.placement.place_of(stages, part);
      INFO(each.name << ' ' << part);
      CHECK((at.stage >= 0 && at.stage < stages && at.chunk >= 0 && at.chunk < 3));
      CHECK(each.placement.virtual_stage(stages, at) == part);
    }
  CHECK(looped.virtual_stage(stages, {.stage = 3, .chunk = 0}) == 3);
  CHECK(looped.virtual_stage(stages, {.stage = 0, .chunk = 1}) == 4);
}
