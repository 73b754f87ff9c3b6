#include "sim/answers/step_view.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_source.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Stream that a span belongs to; exchanges of a pass belong to its kernels.
Stream stream_of(const Span& span) {
  return span.stream == Stream::Exchange ? Stream::Compute : span.stream;
}

std::vector<StepPass> passes_of(const Timeline& timeline, const std::vector<bool>& is_critical) {
  using Key = std::tuple<int, Stream, PassKind, int, int, bool>;
  std::map<Key, std::size_t> known;
  std::vector<StepPass> passes;
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    const Key key{span.stage, stream_of(span),  span.kind,
                  span.chunk, span.micro_batch, span.layer != nullptr};
    const auto [found, is_new] = known.try_emplace(key, passes.size());
    if (is_new) passes.push_back({.first = span});
    StepPass& pass = passes[found->second];
    pass.first.stream = stream_of(span);
    pass.first.start = std::min(pass.first.start, span.start);
    pass.first.finish = std::max(pass.first.finish, span.finish);
    (span.stream == Stream::Exchange ? pass.exchanging : pass.computing) +=
        span.finish - span.start;
    pass.is_critical = pass.is_critical || is_critical[i];
  }
  return passes;
}

}  // namespace

StepView step_view(const RunPoint& point) {
  const RunEstimate& estimate = *point.estimate;
  StepView view{.work = estimate.step_source().work()};
  view.timeline = record_timeline(view.work);
  view.is_critical.resize(view.timeline.spans.size());
  for (const int span : view.timeline.critical_path)
    view.is_critical[static_cast<std::size_t>(span)] = true;
  view.passes = passes_of(view.timeline, view.is_critical);
  if (estimate.simulated() == nullptr) return view;
  const SimulatedStep& step = *estimate.simulated();
  view.memory = step.memory;
  for (std::size_t i = 0; i < view.memory.size(); ++i)
    view.capacity.push_back(step.holder(i).memory.value);
  return view;
}

}  // namespace answers
}  // namespace tofn
