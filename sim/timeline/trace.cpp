#include <fmt/format.h>

#include "sim/core/json.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace timeline {
namespace {

/// Names of colours that Chrome's trace viewer reserves (catapult, base/color_scheme.html).
constexpr std::array<std::string_view, step_parts.size()> colours{
    "thread_state_running",          // compute
    "grey",                          // launch
    "rail_load",                     // tensor
    "rail_animation",                // context
    "rail_idle",                     // expert
    "rail_response",                 // pipeline
    "thread_state_uninterruptible",  // data
    "white",                         // bubble
    "terrible",                      // imbalance
    "good"};                         // optimizer

std::string_view name_of(PassKind kind) {
  if (kind == PassKind::Forward) return "forward";
  return kind == PassKind::Backward ? "backward" : "weight gradients";
}

std::string metadata(std::string_view what, int stage, std::size_t stream, std::string_view name) {
  return fmt::format(R"({{"name":"{}","ph":"M","pid":{},"tid":{},"args":{{"name":{}}}}})", what,
                     stage, stream, json_text(name));
}

std::string event(const Span& span) {
  constexpr double microseconds = 1e6;
  const auto category = static_cast<std::size_t>(span.part);
  return fmt::format(
      R"({{"name":{},"cat":"{}","cname":"{}","ph":"X","pid":{},"tid":{},"ts":{},"dur":{},)"
      R"("args":{{"pass":"{}","chunk":{},"micro_batch":{}}}}})",
      json_text(name_of(span)), step_parts[category].first, colours[category], span.stage,
      static_cast<int>(span.stream), json_number(microseconds * span.start.base()),
      json_number(microseconds * (span.finish - span.start).base()), name_of(span.kind), span.chunk,
      span.micro_batch);
}

}  // namespace

std::string name_of(const Span& span) {
  const std::string_view part = step_parts[static_cast<std::size_t>(span.part)].first;
  if (span.stream == Stream::Send)
    return fmt::format("send {} {}", name_of(span.kind), span.micro_batch);
  if (span.layer == nullptr) return std::string(part);
  const std::string pass =
      fmt::format("{} {} {}", span.layer->name, name_of(span.kind), span.micro_batch);
  return span.part == StepPart::Compute ? pass : fmt::format("{}, {}", pass, part);
}

void write_trace(std::ostream& out, const Timeline& timeline) {
  out << R"({"displayTimeUnit":"ms","traceEvents":[)";
  const char* separator = "\n";
  const auto write = [&](const std::string& line) {
    out << separator << line;
    separator = ",\n";
  };
  for (int stage = 0; stage < static_cast<int>(timeline.stages.size()); ++stage) {
    write(metadata("process_name", stage, 0, fmt::format("stage {}", stage + 1)));
    for (std::size_t i = 0; i < streams.size(); ++i)
      write(metadata("thread_name", stage, i, streams[i].first));
  }
  for (const Span& span : timeline.spans) write(event(span));
  out << "\n]}\n";
}

}  // namespace timeline
}  // namespace tofn
