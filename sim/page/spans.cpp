#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "sim/page/read_table.hpp"

namespace tofn {
inline namespace page {
namespace {

struct Event {
  double process = 0, thread = 0;  ///< numbers in the trace, which order its rows
  std::string stage, stream, part;
  std::string pass, chunk, micro_batch;
  double start = 0, finish = 0, busy = 0;  ///< ms
  long long events = 1;
};

/// Cells of a row by column name; a missing column is empty.
class Cells {
 public:
  explicit Cells(const Records& records) : records_(records) {
    for (std::size_t c = 0; c < records.columns.size(); ++c) place_[records.columns[c]] = c;
  }
  std::string text(std::size_t row, const std::string& column) const {
    const Value* value = find(row, column);
    if (value == nullptr) return {};
    if (const auto* text = std::get_if<std::string>(value)) return *text;
    if (const auto* whole = std::get_if<long long>(value)) return fmt::format("{}", *whole);
    const auto* number = std::get_if<double>(value);
    return number == nullptr ? std::string() : fmt::format("{}", *number);
  }
  double number(std::size_t row, const std::string& column) const {
    const Value* value = find(row, column);
    if (value == nullptr) return 0;
    if (const auto* number = std::get_if<double>(value)) return *number;
    const auto* whole = std::get_if<long long>(value);
    return whole == nullptr ? 0 : static_cast<double>(*whole);
  }

 private:
  const Value* find(std::size_t row, const std::string& column) const {
    const auto found = place_.find(column);
    return found == place_.end() ? nullptr : &records_.rows[row][found->second];
  }
  const Records& records_;
  std::map<std::string, std::size_t> place_;
};

/// Names of processes and threads, from metadata events.
struct Names {
  std::map<std::string, std::string> processes;
  std::map<std::string, std::string> threads;  ///< keyed by `process/thread`
};

std::string thread_of(const Cells& cells, std::size_t row) {
  return cells.text(row, "pid") + '/' + cells.text(row, "tid");
}

Names names_in(const Cells& cells, std::size_t rows) {
  Names names;
  for (std::size_t r = 0; r < rows; ++r) {
    if (cells.text(r, "ph") != "M") continue;
    const std::string what = cells.text(r, "name");
    if (what == "process_name") names.processes[cells.text(r, "pid")] = cells.text(r, "args.name");
    if (what == "thread_name") names.threads[thread_of(cells, r)] = cells.text(r, "args.name");
  }
  return names;
}

std::string named(const std::map<std::string, std::string>& names, const std::string& key,
                  const std::string& otherwise) {
  const auto found = names.find(key);
  return found == names.end() ? otherwise : found->second;
}

std::vector<Event> events_in(const Records& records) {
  const Cells cells(records);
  const Names names = names_in(cells, records.rows.size());
  std::vector<Event> events;
  for (std::size_t r = 0; r < records.rows.size(); ++r) {
    if (cells.text(r, "ph") != "X") continue;
    const double start = cells.number(r, "ts") / 1e3;
    const double length = cells.number(r, "dur") / 1e3;
    const std::string category = cells.text(r, "cat");
    events.push_back({.process = cells.number(r, "pid"),
                      .thread = cells.number(r, "tid"),
                      .stage = named(names.processes, cells.text(r, "pid"), cells.text(r, "pid")),
                      .stream = named(names.threads, thread_of(cells, r), cells.text(r, "tid")),
                      .part = category.empty() ? cells.text(r, "name") : category,
                      .pass = cells.text(r, "args.pass"),
                      .chunk = cells.text(r, "args.chunk"),
                      .micro_batch = cells.text(r, "args.micro_batch"),
                      .start = start,
                      .finish = start + length,
                      .busy = length});
  }
  return events;
}

/// The finest property in which two neighbours must agree to be joined.
enum class Kept { MicroBatch, Pass, Part, Stream };

bool are_alike(const Event& a, const Event& b, Kept kept) {
  if (std::tie(a.stage, a.stream) != std::tie(b.stage, b.stream)) return false;
  if (kept == Kept::Stream) return true;
  if (a.part != b.part) return false;
  if (kept == Kept::Part) return true;
  if (a.pass != b.pass) return false;
  return kept == Kept::Pass || std::tie(a.chunk, a.micro_batch) == std::tie(b.chunk, b.micro_batch);
}

void merge(std::vector<Event>& events, Kept kept, double gap) {
  std::vector<Event> merged;
  for (Event& event : events) {
    if (merged.empty() || !are_alike(merged.back(), event, kept) ||
        event.start - merged.back().finish > gap) {
      merged.push_back(std::move(event));
      continue;
    }
    Event& last = merged.back();
    if (last.part != event.part) last.part = "several";
    if (last.micro_batch != event.micro_batch) last.micro_batch.clear();
    if (last.chunk != event.chunk) last.chunk.clear();
    if (last.pass != event.pass) last.pass.clear();
    last.finish = std::max(last.finish, event.finish);
    last.busy += event.busy;
    last.events += event.events;
  }
  events = std::move(merged);
}

}  // namespace

Records spans_of(const Records& trace, std::size_t most) {
  std::vector<Event> events = events_in(trace);
  double end = 0;
  for (const Event& event : events) end = std::max(end, event.finish);
  // By row of the picture, then time, so that neighbours on a stream are adjacent.
  std::ranges::stable_sort(events, [](const Event& a, const Event& b) {
    return std::tie(a.process, a.thread, a.start) < std::tie(b.process, b.thread, b.start);
  });
  merge(events, Kept::MicroBatch, end * 1e-9);
  for (double gap = end / 1e4; events.size() > most && gap < end; gap *= 2)
    for (const Kept kept : {Kept::MicroBatch, Kept::Pass, Kept::Part, Kept::Stream}) {
      const bool is_coarse = gap > end / 500;  // wider than a few pixels
      if (events.size() > most && (is_coarse || kept < Kept::Part)) merge(events, kept, gap);
    }
  const Columns<Event> columns{{"stage", &Event::stage},
                               {"stream", &Event::stream},
                               {"part", &Event::part},
                               {"pass", of_its(&Event::pass, known)},
                               {"chunk", of_its(&Event::chunk, known)},
                               {"micro_batch", of_its(&Event::micro_batch, known)},
                               {"start_ms", &Event::start},
                               {"length_ms", [](const Event& e) { return e.finish - e.start; }},
                               {"busy_ms", &Event::busy},
                               {"events", &Event::events}};
  return records_of(columns, events);
}

}  // namespace page
}  // namespace tofn
