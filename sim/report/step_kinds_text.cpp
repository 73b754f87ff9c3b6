#include <fmt/format.h>

#include "sim/core/words.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Place of a kind: `stages 3..4`, `2 replicas`.
std::string place_words(const SimulatedStep& step, const AcceleratorKind& kind) {
  const bool holds_replicas = step.heterogeneous.mixed->stages.is_empty();
  if (holds_replicas) return counted(kind.replicas, "replica");
  const StageRange& other = step.heterogeneous.mixed->stages;
  if (&kind != &step.kinds.front()) return fmt::format("stages {}..{}", other.first + 1, other.end);
  const int stages = step.plan.pipeline_parallel_size;
  if (other.first == 0) return fmt::format("stages {}..{}", other.end + 1, stages);
  if (other.end == stages) return fmt::format("stages 1..{}", other.first);
  return fmt::format("stages 1..{}, {}..{}", other.first, other.end + 1, stages);
}

std::string holding(const SimulatedStep& step, const AcceleratorKind& kind) {
  std::string place = place_words(step, kind);
  const auto& others = step.heterogeneous.mixed->layers;
  if (!others) return place;
  const int all = *plan_limits(layer_work(step.model, step.plan)).layers;
  const int layers = &kind == &step.kinds.front() ? all - *others : *others;
  return fmt::format("{}: {} layers", place, layers);
}

/// Index of the footprint that is largest among a kind's accelerators.
std::size_t tightest_of(const SimulatedStep& step, const AcceleratorKind& kind) {
  const Accelerator& own = &kind == &step.kinds.front()
                               ? step.cluster.accelerator
                               : step.heterogeneous.mixed->cluster.accelerator;
  std::size_t found = step.memory.size();
  for (std::size_t i = 0; i < step.memory.size(); ++i)
    if (&step.holder(i) == &own &&
        (found == step.memory.size() || step.memory[i].total() > step.memory[found].total()))
      found = i;
  return found;
}

/// Index of the kind that has the most work.
std::size_t pacing(const SimulatedStep& step) {
  return step.kinds[1].busy > step.kinds[0].busy ? 1 : 0;
}

template <class Figure>
auto if_mixed(Figure figure) {
  return [figure](const SimulatedStep& step) {
    return step.kinds.empty() ? Value{} : to_value(figure(step));
  };
}

template <class Figure>
auto of_kind(std::size_t kind, Figure figure) {
  return if_mixed([=](const SimulatedStep& step) { return std::invoke(figure, step.kinds[kind]); });
}

/// Stages of the other kind: `3..4`; absent if it has whole replicas.
Value mixed_stages(const SimulatedStep& step) {
  if (step.kinds.empty() || step.heterogeneous.mixed->stages.is_empty()) return {};
  const StageRange& stages = step.heterogeneous.mixed->stages;
  return fmt::format("{}..{}", stages.first + 1, stages.end);
}

Value mixed_layers(const SimulatedStep& step) {
  return step.kinds.empty() ? Value{} : to_value(step.heterogeneous.mixed->layers);
}

}  // namespace

std::string hardware_words(const SimulatedStep& step) {
  if (step.kinds.empty())
    return fmt::format("{} x {} ({})", step.plan.accelerators(), step.cluster.accelerator.name,
                       step.cluster.name);
  const auto words = [](const AcceleratorKind& kind) {
    return fmt::format("{} x {} ({})", kind.accelerators, kind.accelerator, kind.cluster);
  };
  return words(step.kinds[0]) + " and " + words(step.kinds[1]);
}

std::string kinds_text(const SimulatedStep& step) {
  if (step.kinds.empty()) return {};
  using Kind = AcceleratorKind;
  const auto memory = [&](const Kind& kind) {
    const std::size_t fullest = tightest_of(step, kind);
    const Footprint& held = step.memory[fullest];
    const Accelerator& chip = step.holder(fullest);
    return fmt::format("{:.1f} of {:.0f}{}", gigabytes(held.total()), gigabytes(chip.memory.value),
                       fits(held, chip) ? "" : "!");
  };
  const auto share = [&](const Kind& kind) { return percent(kind.busy / step.times.total); };
  const TableColumns<Kind> columns{
      left("kind", &Kind::accelerator),
      right("N", &Kind::accelerators),
      left("holds", [&](const Kind& kind) { return holding(step, kind); }),
      right("micro-batches", &Kind::micro_batches),
      right("busy ms", of_its(&Kind::busy, milliseconds)),
      right("% of step", share),
      right("alone ms", of_its(&Kind::alone, milliseconds)),
      right("GB", memory)};
  return table_text(columns, step.kinds) +
         note("busy", "with its own work, in the stage with the most of it") +
         note("alone", "the step if all accelerators were of this kind") +
         note("assumed",
              "one library drives both, and links between them are as slow as the "
              "slower one's");
}

std::string pace_text(const SimulatedStep& step) {
  if (step.kinds.empty()) return {};
  const AcceleratorKind& slow = step.kinds[pacing(step)];
  const AcceleratorKind& other = step.kinds[1 - pacing(step)];
  const Seconds ideal = without_waiting(step.kinds);
  const std::string pace = slow.busy == other.busy
                               ? "neither kind, as both have as much to do"
                               : fmt::format("{}: {} has {:.0f} % less to do", slow.accelerator,
                                             other.accelerator, 100 * (1 - other.busy / slow.busy));
  return note("paced by",
              fmt::format("{}; if each worked at its own pace, a step would take {}, and this one "
                          "takes {:.0f} % longer",
                          pace, time_words(ideal), 100 * (step.times.total / ideal - 1)));
}

Columns<SimulatedStep> kinds_columns() {
  using Step = SimulatedStep;
  const auto own = [](auto figure) { return of_kind(0, figure); };
  const auto other = [](auto figure) { return of_kind(1, figure); };
  const auto busy = [](const AcceleratorKind& kind) { return kind.busy.base(); };
  const auto alone = [](const AcceleratorKind& kind) { return kind.alone.base(); };
  return {
      {"mixed_with", other(&AcceleratorKind::cluster), "other cluster of a mixed job"},
      {"mixed_accelerators", other(&AcceleratorKind::accelerators),
       "accelerators of the other cluster"},
      {"mixed_stages", mixed_stages, "stages that the other cluster's nodes hold"},
      {"mixed_layers", mixed_layers, "layers on the stages that the other cluster's nodes hold"},
      {"paced_by", if_mixed([](const Step& s) { return s.kinds[pacing(s)].cluster; }),
       "cluster that the others wait for"},
      {"micro_batches", own(&AcceleratorKind::micro_batches),
       "micro-batches of a replica and step"},
      {"mixed_micro_batches", other(&AcceleratorKind::micro_batches),
       "micro-batches of a replica on the other cluster"},
      {"busy_s", own(busy), "busy time of the cluster's own accelerators"},
      {"mixed_busy_s", other(busy), "busy time of the other cluster's accelerators"},
      {"alone_s", own(alone), "time of a step if all accelerators were the cluster's own"},
      {"mixed_alone_s", other(alone),
       "time of a step if all accelerators were the other cluster's"},
      {"without_waiting_s", if_mixed([](const Step& s) { return without_waiting(s.kinds).base(); }),
       "time of a step if work were dealt out without a remainder"}};
}

}  // namespace report
}  // namespace tofn
