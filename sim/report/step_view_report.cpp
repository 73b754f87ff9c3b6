#include "sim/report/step_view_report.hpp"

#include <numeric>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/rows.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string_view words_of(PassKind kind) {
  if (kind == PassKind::Forward) return "forward";
  return kind == PassKind::Backward ? "backward" : "weight gradients";
}

/// Columns for the place and time of a span; `of`: row -> its span.
template <class Row, class Of>
TableColumns<Row> span_columns(Of of) {
  const auto seconds = [of](Seconds Span::*when) {
    return [of, when](const Row& row) { return (of(row).*when).base(); };
  };
  return {{"stage", [of](const Row& row) { return of(row).stage + 1; },
           "stage of the pipeline, from 1"},
          {"stream", [of](const Row& row) { return name_in(streams, of(row).stream); },
           "stream of the work: compute, exchange (between ranks of a layer), data (gradients, "
           "shards) or send"},
          {"part", [of](const Row& row) { return name_in(step_parts, of(row).part); },
           "part of the step that the work's time counts as where others wait for it"},
          {"pass",
           [of](const Row& row) {
             const Span& span = of(row);
             const bool is_of_pass = span.layer != nullptr || span.stream == Stream::Send;
             return is_of_pass ? std::optional(std::string(words_of(span.kind))) : std::nullopt;
           },
           "kind of pass: forward, backward or weight gradients; none: after the passes"},
          {"chunk", [of](const Row& row) { return of(row).chunk + 1; },
           "chunk of the stage's layers, from 1"},
          {"micro_batch", [of](const Row& row) { return of(row).micro_batch + 1; },
           "micro-batch of the pass, from 1"},
          {"start_s", seconds(&Span::start), "start of the work, from the start of the step"},
          {"finish_s", seconds(&Span::finish), "end of the work, from the start of the step"}};
}

}  // namespace

ExplainedRecords stage_records(const StepView& view) {
  std::vector<std::size_t> stages(view.timeline.stages.size());
  std::iota(stages.begin(), stages.end(), std::size_t{0});
  using Row = std::size_t;
  TableColumns<Row> columns{
      {"stage", [](const Row& i) { return static_cast<int>(i) + 1; },
       "stage of the pipeline, from 1"},
      {"stage_step_s", [&](const Row& i) { return view.timeline.stages[i].total.base(); },
       "time of a step of the stage, without the wait for slower replicas"}};
  for (std::size_t p = 0; p < step_parts.size(); ++p) {
    const auto& [name, which] = step_parts[p];
    const bool waits = which == StepPart::Imbalance;
    columns.emplace_back(
        fmt::format("{}{}_s", waits ? "stage_" : "", name),
        [&view, p](const Row& i) { return view.timeline.stages[i].parts[p].base(); },
        waits ? "time of waiting for stages with more to do, not for slower replicas" : "");
  }
  const auto held = [&view](auto figure) {
    return [&view, figure](const Row& i) {
      return i < view.memory.size() ? std::optional(figure(i).base() / 1e9) : std::nullopt;
    };
  };
  for (const FootprintPart& part : footprint_parts)
    columns.emplace_back(fmt::format("memory_{}_gb", part.name),
                         held([&view, part](Row i) { return view.memory[i].*part.bytes; }),
                         "part of the peak memory of the stage");
  columns.emplace_back("memory_gb", held([&view](Row i) { return view.memory[i].total(); }),
                       "peak memory of the stage");
  columns.emplace_back("memory_of_accelerator_gb",
                       held([&view](Row i) { return view.capacity[i]; }),
                       "memory of an accelerator of the stage");
  return records_of(columns, stages);
}

ExplainedRecords pass_records(const StepView& view) {
  auto columns =
      span_columns<StepPass>([](const StepPass& pass) -> const Span& { return pass.first; });
  columns.emplace_back(
      "busy_s", [](const StepPass& pass) { return pass.computing.base(); },
      "time in kernels; of sends and gradients: on the link");
  columns.emplace_back(
      "exchange_s", [](const StepPass& pass) { return pass.exchanging.base(); },
      "time in exchanges between ranks of the pass's layers");
  columns.emplace_back("is_critical", &StepPass::is_critical,
                       "1 where the step would be shorter without the work");
  return records_of(columns, view.passes);
}

ExplainedRecords span_records(const StepView& view) {
  std::vector<std::size_t> rows(view.timeline.spans.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  auto columns = span_columns<std::size_t>(
      [&view](std::size_t i) -> const Span& { return view.timeline.spans[i]; });
  columns.emplace_back(
      "layer",
      [&view](const std::size_t& i) {
        const LayerTimes* layer = view.timeline.spans[i].layer;
        return layer ? std::optional(layer->name) : std::nullopt;
      },
      "kind of layer");
  columns.emplace_back(
      "is_critical", [&view](const std::size_t& i) { return bool(view.is_critical[i]); },
      "1 where the step would be shorter without the work");
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
