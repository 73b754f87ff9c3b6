// MLPerf's log: `:::MLLOG {"time_ms": ..., "event_type": ..., "key": ..., "value": ..., "metadata":
// {...}}` after whatever a launcher prints. Steps come from the first of these that the log has:
// tracked_stats with train_step_time; blocks or epochs whose ends say samples_count; events of
// train_loss, likewise; tracked_stats with throughput, which may hold evaluations.
#include <array>
#include <cmath>

#include <nlohmann/json.hpp>

#include "sim/core/names.hpp"
#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

using Json = nlohmann::json;
constexpr std::string_view mark = ":::MLLOG";

struct Event {
  std::string key;
  Json content;
  LogLine line;
};

/// The value of a key, or null.
const Json& at(const Json& object, const char* key) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

std::optional<double> number(const Json& value) {
  if (!value.is_number() || !std::isfinite(value.get<double>())) return {};
  return value.get<double>();
}

/// A figure that the log states once, as a value from 1 to a thousand million.
double stated(const LogText& log, const Event& event) {
  constexpr double largest = 1e9;
  const auto value = number(at(event.content, "value"));
  if (!value || *value < 1 || *value > largest || *value != std::floor(*value))
    throw InputError(
        log.location(event.line), event.key,
        "must be a whole number from 1, is '" +
            shortened(
                at(event.content, "value").dump(-1, ' ', false, Json::error_handler_t::replace)) +
            "'");
  return *value;
}

void take_size(const LogText& log, const Event& event, LoggedSizes& sizes) {
  constexpr int most_accumulation = 1'000'000;
  if (event.key == "global_batch_size" && !sizes.global_batch)
    sizes.global_batch = stated(log, event);
  if (event.key == "gradient_accumulation_steps" && !sizes.gradient_accumulation)
    sizes.gradient_accumulation =
        static_cast<int>(std::min<double>(stated(log, event), most_accumulation));
}

std::vector<Event> events_of(const LogText& log, LoggedSizes& sizes, LoggedRuns& read) {
  std::vector<Event> events;
  for (const LogLine& line : log.lines) {
    const std::size_t start = line.text.find(mark);
    if (start == std::string_view::npos) {
      take_sizes(line, sizes);
      continue;
    }
    Json content = Json::parse(line.text.substr(start + mark.size()), nullptr, false);
    const Json& key = at(content, "key");
    if (!key.is_string()) {
      read.remarks.push_back(log.remark(line, "left out: no JSON with a key after :::MLLOG"));
      continue;
    }
    events.push_back({.key = key.get<std::string>(), .content = std::move(content), .line = line});
    take_size(log, events.back(), sizes);
  }
  return events;
}

using Steps = std::vector<LoggedStep>;

void add_step(const LogText& log, const Event& event, double seconds, double steps, Steps& all) {
  constexpr double longest = 1e6;
  if (!(seconds > 0 && seconds <= longest))
    throw InputError(log.location(event.line), event.key,
                     "the time of a step must be above 0 and at most a million seconds");
  all.push_back({.seconds = seconds, .steps = steps, .line = event.line});
}

Steps printed_times(const LogText& log, const std::vector<Event>& events) {
  Steps steps;
  for (const Event& event : events)
    if (event.key == "tracked_stats")
      if (const auto seconds = number(at(at(event.content, "value"), "train_step_time")))
        add_step(log, event, *seconds, 1, steps);
  return steps;
}

Steps throughputs(const LogText& log, const std::vector<Event>& events, double global_batch) {
  Steps steps;
  for (const Event& event : events)
    if (event.key == "tracked_stats")
      if (const auto rate = number(at(at(event.content, "value"), "throughput")); rate && *rate > 0)
        add_step(log, event, global_batch / *rate, 1, steps);
  return steps;
}

/// When so many samples had been trained.
struct Progress {
  double milliseconds = 0;
  double samples = 0;
};

std::optional<Progress> progress_of(const Event& event) {
  const auto time = number(at(event.content, "time_ms"));
  const auto samples = number(at(at(event.content, "metadata"), "samples_count"));
  if (!time || !samples) return {};
  return Progress{.milliseconds = *time, .samples = *samples};
}

void add_interval(const LogText& log, const Event& event, const Progress& from, const Progress& to,
                  double global_batch, Steps& steps) {
  const double count = (to.samples - from.samples) / global_batch;
  if (count < 1) return;  // less than a step: an evaluation alone, or a counter that began anew
  add_step(log, event, (to.milliseconds - from.milliseconds) * 1e-3 / count, count, steps);
}

/// Times from `begin` to the next `end`; where both are the same key, from each to the next.
Steps intervals(const LogText& log, const std::vector<Event>& events, double global_batch,
                std::string_view begin, std::string_view end) {
  Steps steps;
  std::optional<Progress> from;
  for (const Event& event : events) {
    if (event.key != begin && event.key != end) continue;
    const auto now = progress_of(event);
    if (event.key == end && from && now) add_interval(log, event, *from, *now, global_batch, steps);
    if (event.key == begin)
      from = now;
    else
      from.reset();
  }
  return steps;
}

Steps steps_of(const LogText& log, const std::vector<Event>& events,
               std::optional<double> global_batch) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> pairs{
      {{"block_start", "block_stop"}, {"epoch_start", "epoch_stop"}, {"train_loss", "train_loss"}}};
  Steps steps = printed_times(log, events);
  if (!steps.empty() || !global_batch) return steps;
  for (const auto& [begin, end] : pairs) {
    steps = intervals(log, events, *global_batch, begin, end);
    if (!steps.empty()) return steps;
  }
  return throughputs(log, events, *global_batch);
}

}  // namespace

bool is_mllog_steps(const LogText& log) { return log.whole.find(mark) != std::string_view::npos; }

LoggedRuns read_mllog_steps(const LogText& log) {
  LoggedRuns read;
  LoggedSizes sizes;
  const auto events = events_of(log, sizes, read);
  auto steps = steps_of(log, events, sizes.global_batch);
  if (steps.empty())
    throw InputError(
        {.file = log.file}, {},
        sizes.global_batch
            ? "MLLOG lines, but none from which a step's time follows: needed are "
              "train_step_time or throughput in tracked_stats, or samples_count at "
              "block_start and block_stop"
            : "MLLOG lines without global_batch_size, which a step's time follows from");
  read.runs.push_back({.sizes = sizes, .steps = std::move(steps), .line = log.lines.front()});
  return read;
}

}  // namespace measurements
}  // namespace tofn
