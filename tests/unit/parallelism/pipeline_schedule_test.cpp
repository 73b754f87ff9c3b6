#include "sim/parallelism/pipeline_schedule.hpp"

#include <set>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("each schedule's traits stand where its value looks for them") {
  for (const auto& [name, schedule] : pipeline_schedules) {
    INFO(name);
    const ScheduleTraits& traits = traits_of(schedule);
    CHECK(traits.name == name);
    CHECK_FALSE((traits.forwards_first && traits.splits_backward));  // there is no gap to fill
  }
  CHECK(traits_of(PipelineSchedule::ZeroBubbleV).name == "zb-v");
  CHECK(traits_of(PipelineSchedule::BreadthFirst).name == "breadth-first");
}

TEST_CASE("every chunk holds one part of the model, and neighbouring parts follow each other") {
  const int stages = 4;
  for (const ScheduleTraits& each : schedule_traits)
    for (int part = 0; part < 3 * stages; ++part) {
      const ChunkPlace at = each.placement.place_of(stages, part);
      INFO(each.name << ' ' << part);
      CHECK((at.stage >= 0 && at.stage < stages && at.chunk >= 0 && at.chunk < 3));
      CHECK(each.placement.virtual_stage(stages, at) == part);
      const int next = each.placement.place_of(stages, part + 1).stage;
      const auto link = each.placement.link_after(stages, part);
      CHECK(link.has_value() == (next != at.stage));
      if (link) CHECK(std::set{*link, (*link + 1) % stages} == std::set{at.stage, next});
    }
  const ChunkPlacement& looped = traits_of(PipelineSchedule::OneForwardOneBackward).placement;
  const ChunkPlacement& v_shaped = traits_of(PipelineSchedule::ZeroBubbleV).placement;
  CHECK(looped.virtual_stage(stages, {.stage = 3, .chunk = 0}) == 3);
  CHECK(looped.virtual_stage(stages, {.stage = 0, .chunk = 1}) == 4);
  CHECK(v_shaped.virtual_stage(stages, {.stage = 3, .chunk = 1}) == 4);
  CHECK(v_shaped.virtual_stage(stages, {.stage = 0, .chunk = 1}) == 7);
  // Both directions join the same two stages: around by the outer link, up by the inner one.
  CHECK(looped.link_after(2, 1) == 1);
  CHECK(v_shaped.link_after(2, 1) == std::nullopt);
  CHECK(v_shaped.link_after(2, 2) == 0);
}
