#include "microbench/harness/rounds.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "microbench/harness/machine.hpp"
#include "microbench/harness/summary.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

struct Running {
  Case* the_case = nullptr;
  VisitSamples samples;
  RecordFigures device_state;
  bool is_done = false;
};

bool is_lowest(const std::string& name) { return name.ends_with("_lowest"); }

/// Adds the device's readings of this visit: the worst over ranks and visits.
void combine_device_state(Lab& lab, Running& running) {
  RecordFigures seen = lab.monitor == nullptr ? RecordFigures{} : lab.monitor->take();
  std::vector<double> values;
  for (const auto& [name, value] : seen) values.push_back(is_lowest(name) ? -value : value);
  lab.team.maximum(values);
  for (std::size_t i = 0; i < seen.size(); ++i)
    seen[i].second = is_lowest(seen[i].first) ? -values[i] : values[i];
  auto& state = running.device_state;
  if (state.empty()) {
    state = seen;
    return;
  }
  for (std::size_t i = 0; i < std::min(state.size(), seen.size()); ++i)
    state[i].second = is_lowest(state[i].first) ? std::min(state[i].second, seen[i].second)
                                                : std::max(state[i].second, seen[i].second);
}

/// True if heat or a power brake slowed the device, so that its times are not the machine's.
bool is_throttled(const RecordFigures& device_state) {
  return std::any_of(device_state.begin(), device_state.end(), [](const auto& figure) {
    return figure.first == "is_throttled_highest" && figure.second > 0;
  });
}

/// Updates the point and its intervals with the latest samples.
void update(Lab& lab, Running& running) {
  RecordPoint& point = running.the_case->point;
  const VisitSamples& samples = running.samples;
  point.warm_up_calls = samples.warm_up_calls;
  point.calls_per_sample = samples.calls_per_sample;
  point.visits = samples.visits;
  point.host_samples = samples.host;
  point.device_samples = samples.device;
  point.summary = summarize(point.samples(), point.visits);
  point.figures = running.the_case->figures(point.summary.median);
  point.device_state = running.device_state;
  point.flags = flags_of(point.samples());
  if (is_throttled(point.device_state))
    point.flags.emplace_back("throttled: heat or a power brake slowed the GPU down");
  // Clocks differ between ranks, so the first rank decides for all.
  double is_enough =
      lab.team.rank() == 0 && lab.rule.is_enough(static_cast<int>(samples.visits.size()),
                                                 samples.time, half_width(point.summary));
  lab.team.maximum({&is_enough, 1});
  point.is_complete = is_enough > 0;
  if (point.is_complete && half_width(point.summary) > lab.rule.share)
    point.flags.push_back(fmt::format("unsettled: within {} %, not {} %",
                                      percent_within(half_width(point.summary)),
                                      percent_within(lab.rule.share)));
}

void visit_once(Lab& lab, Running& running) {
  Case& each = *running.the_case;
  lab.watchdog.start(each.title);
  if (running.samples.visits.empty()) {
    each.point.started = utc_now();
    if (each.prepare) each.prepare();
    warm_up(lab.team, lab.watchdog, lab.rule, each.timed, running.samples);
  }
  if (lab.monitor != nullptr) lab.monitor->start();
  visit(lab.team, lab.watchdog, each.timed, running.samples);
  if (lab.monitor != nullptr) lab.monitor->stop();
  combine_device_state(lab, running);
  update(lab, running);
  running.is_done = each.point.is_complete;
  if (running.is_done && each.check) each.check();
  lab.recorder.put(each.point);
}

/// True after the deadline by the first rank's clock. Collective.
bool is_over(Lab& lab) {
  double is_over = lab.team.rank() == 0 && host_seconds() > lab.deadline ? 1 : 0;
  lab.team.maximum({&is_over, 1});
  return is_over > 0;
}

constexpr std::string_view cut_mark = "unsettled: the time was over";

/// True if the deadline cut the point short, so that a later job with more time repeats it.
bool was_cut(const RecordPoint& point) {
  return std::any_of(point.flags.begin(), point.flags.end(),
                     [](const std::string& flag) { return flag.starts_with(cut_mark); });
}

/// Ends a case at the deadline, with the visits so far.
void break_off(Lab& lab, Running& running) {
  running.is_done = true;
  Case& each = *running.the_case;
  each.is_dropped = running.samples.visits.empty();
  if (each.is_dropped) return;
  if (each.check) each.check();
  each.point.is_complete = true;
  each.point.flags.push_back(
      fmt::format("{} after {}", cut_mark, counted(running.samples.visits.size(), "visit")));
  lab.recorder.put(each.point);
}

/// Points of the cases; prints how many were dropped.
std::vector<RecordPoint> points_of(Lab& lab, std::vector<Case>& cases) {
  std::vector<RecordPoint> points;
  const Case* first = nullptr;
  for (Case& each : cases) {
    if (!each.is_dropped)
      points.push_back(std::move(each.point));
    else if (first == nullptr)
      first = &each;
  }
  if (first != nullptr)
    lab.progress.print(fmt::format("# {} and the next, {} in all: left out: the time is over\n",
                                   first->title, cases.size() - points.size()));
  return points;
}

/// Cases that the record does not have; points of the others are taken from it.
std::vector<Running> to_be_run(Lab& lab, std::vector<Case>& cases) {
  std::vector<Running> running;
  for (Case& each : cases) {
    double is_known = 0;
    const RecordPoint* known = lab.recorder.complete(each.point);
    if (known != nullptr && !was_cut(*known)) {
      is_known = 1;
      each.point = *known;
    }
    lab.team.maximum({&is_known, 1});
    if (is_known > 0)
      lab.progress.add_done(1);
    else
      running.push_back({.the_case = &each, .samples = {}, .device_state = {}});
  }
  return running;
}

}  // namespace

std::vector<RecordPoint> measure_in_rounds(Lab& lab, std::vector<Case>& cases) {
  auto running = to_be_run(lab, cases);
  const auto is_done = [](const Running& each) { return each.is_done; };
  for (int round = 1; !std::all_of(running.begin(), running.end(), is_done); ++round) {
    for (Running& each : running) {
      if (each.is_done) continue;
      if (is_over(lab)) {
        break_off(lab, each);
        continue;
      }
      lab.progress.show(fmt::format("{}, round {}", each.the_case->title, round));
      visit_once(lab, each);
      const double share = 1.0 / lab.rule.least_visits;
      if (round < lab.rule.least_visits) lab.progress.add_done(share);
      if (each.is_done) lab.progress.add_done(share);
    }
  }
  return points_of(lab, cases);
}

}  // namespace tofn::bench
