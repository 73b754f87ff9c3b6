#include "sim/report/watch_metrics.hpp"

#include <array>

#include <fmt/format.h>

#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Time at which the job ends if that much is left of it.
MetricSamples end_in(const WatchAnswer& now, Seconds left) {
  if (!now.left || !now.written) return {};
  return sample_of(*now.written + left.base());
}

std::optional<double> expected_step(const WatchAnswer& now) {
  if (!now.drift) return {};
  return now.recent.base() / (1 + *now.drift);
}

/// One sample a known cause: 1 for the suspected one, else 0.
template <class Causes>
MetricSamples suspected(const Causes& causes, const std::string& sentence) {
  MetricSamples all;
  for (const auto& each : causes)
    all.push_back({.value = each.sentence == sentence ? 1.0 : 0.0,
                   .labels = {{"cause", std::string(each.name)}}});
  return all;
}

MetricSamples warnings_of(const WatchAnswer& now) {
  MetricSamples all;
  for (const LogWarning& each : now.warnings)
    all.push_back({.value = 1.0 * static_cast<double>(each.count),
                   .labels = {{"words", std::string(each.words)}}});
  return all;
}

constexpr auto gauge = MetricType::Gauge;
constexpr auto counter = MetricType::Counter;

constexpr std::array metrics_of_steps{
    Metric<WatchAnswer>{"tofn_log_written_timestamp_seconds", gauge,
                        "Time at which the log was last written, in seconds since 1970.",
                        [](const WatchAnswer& now) { return sample_of(now.written); }},
    Metric<WatchAnswer>{"tofn_iteration", gauge, "Newest iteration in the log.",
                        [](const WatchAnswer& now) { return sample_of(now.iteration); }},
    Metric<WatchAnswer>{"tofn_iterations", gauge, "Iteration at which the job ends.",
                        [](const WatchAnswer& now) { return sample_of(now.iterations); }},
    Metric<WatchAnswer>{
        "tofn_end_timestamp_seconds", gauge,
        "Time at which the job ends if it continues so, in seconds since 1970.",
        [](const WatchAnswer& now) { return end_in(now, now.left.value_or(Seconds{})); }},
    Metric<WatchAnswer>{"tofn_end_low_timestamp_seconds", gauge,
                        "Lower end of the 90 % interval of the time at which the job ends.",
                        [](const WatchAnswer& now) { return end_in(now, now.left_low); }},
    Metric<WatchAnswer>{"tofn_end_high_timestamp_seconds", gauge,
                        "Upper end of the 90 % interval of the time at which the job ends.",
                        [](const WatchAnswer& now) { return end_in(now, now.left_high); }},
    Metric<WatchAnswer>{"tofn_ended", gauge, "1 if the job has ended, else 0.",
                        [](const WatchAnswer& now) { return sample_of(now.is_over() ? 1 : 0); }},
    Metric<WatchAnswer>{
        "tofn_failed", gauge, "1 if the job ended in an error or was cancelled, else 0.",
        [](const WatchAnswer& now) { return sample_of(now.run.end.is_failure ? 1 : 0); }},
    Metric<WatchAnswer>{"tofn_step_seconds", gauge, "Median time of the newest steps.",
                        [](const WatchAnswer& now) { return sample_of(now.recent.base()); }},
    Metric<WatchAnswer>{"tofn_step_expected_seconds", gauge, "Time of a step that was predicted.",
                        [](const WatchAnswer& now) { return sample_of(expected_step(now)); }},
    Metric<WatchAnswer>{"tofn_steps_per_second", gauge, "Rate of the newest steps.",
                        [](const WatchAnswer& now) { return sample_of(1 / now.recent.base()); }},
    Metric<WatchAnswer>{"tofn_steps_expected_per_second", gauge,
                        "Rate of steps that was predicted.",
                        [](const WatchAnswer& now) {
                          const auto step = expected_step(now);
                          return step ? sample_of(1 / *step) : MetricSamples{};
                        }},
    Metric<WatchAnswer>{"tofn_step_drift_ratio", gauge,
                        "Newest steps over the predicted one, less 1.",
                        [](const WatchAnswer& now) { return sample_of(now.drift); }},
    Metric<WatchAnswer>{"tofn_step_own_drift_ratio", gauge,
                        "Newest steps over the first steady ones of the run, less 1.",
                        [](const WatchAnswer& now) { return sample_of(now.own_drift); }},
    Metric<WatchAnswer>{"tofn_outside_steps_ratio", gauge,
                        "Share of the time that lies between steps.",
                        [](const WatchAnswer& now) { return sample_of(now.outside); }},
    Metric<WatchAnswer>{
        "tofn_slowdown_lost_seconds", gauge, "Time lost to the newest lasting slowdown so far.",
        [](const WatchAnswer& now) {
          return sample_of(now.slowdown ? std::optional(now.slowdown->lost.base()) : std::nullopt);
        }},
    Metric<WatchAnswer>{
        "tofn_drift_cause", gauge, "1 of the likely cause of slow steps, 0 of the others.",
        [](const WatchAnswer& now) { return suspected(drift_causes(), now.cause); }},
    Metric<WatchAnswer>{"tofn_log_warnings_total", counter,
                        "Lines of the log with a warning that explains slow steps.", warnings_of}};

/// One sample for each kind of collective that has the value.
template <class Value>
MetricSamples of_kinds(const WatchedCollectives& now, const Value& value) {
  MetricSamples all;
  for (const WatchedCollective& each : now.kinds) {
    const std::optional<double> known = value(each);
    if (!known) continue;
    MetricLabels labels{{"collective", std::string(collective_name(each.collective))},
                        {"communicator", each.communicator},
                        {"ranks", fmt::format("{}", each.ranks)},
                        {"size_bytes", fmt::format("{:.0f}", each.size.base())}};
    if (each.nodes) labels.emplace_back("nodes", fmt::format("{}", *each.nodes));
    all.push_back({.value = *known, .labels = std::move(labels)});
  }
  return all;
}

using Kind = WatchedCollective;
constexpr std::array metrics_of_collectives{
    Metric<WatchedCollectives>{"tofn_collective_bus_bandwidth_bytes_per_second", gauge,
                               "Median bus bandwidth of the newest calls.",
                               [](const WatchedCollectives& now) {
                                 return of_kinds(
                                     now, [](const Kind& each) { return each.newest.base(); });
                               }},
    Metric<WatchedCollectives>{"tofn_collective_first_bus_bandwidth_bytes_per_second", gauge,
                               "Median bus bandwidth of the first calls.",
                               [](const WatchedCollectives& now) {
                                 return of_kinds(
                                     now, [](const Kind& each) { return each.first.base(); });
                               }},
    Metric<WatchedCollectives>{"tofn_collective_expected_bus_bandwidth_bytes_per_second", gauge,
                               "Bus bandwidth that the cluster's links allow.",
                               [](const WatchedCollectives& now) {
                                 return of_kinds(now, [](const Kind& each) {
                                   return each.expected ? std::optional(each.expected->base())
                                                        : std::nullopt;
                                 });
                               }},
    Metric<WatchedCollectives>{
        "tofn_collective_drift_ratio", gauge,
        "Bus bandwidth of the newest calls over that of the first ones, less 1.",
        [](const WatchedCollectives& now) {
          return of_kinds(now, [](const Kind& each) { return each.drift; });
        }},
    Metric<WatchedCollectives>{
        "tofn_collective_seconds_total", counter, "Time of all calls, with waits for other ranks.",
        [](const WatchedCollectives& now) {
          return of_kinds(now, [](const Kind& each) { return each.time.base(); });
        }},
    Metric<WatchedCollectives>{"tofn_collective_calls_total", counter, "Number of calls.",
                               [](const WatchedCollectives& now) {
                                 return of_kinds(now, [](const Kind& each) {
                                   return 1.0 * static_cast<double>(each.calls);
                                 });
                               }},
    Metric<WatchedCollectives>{"tofn_collectives_share_ratio", gauge,
                               "Share of the time that collectives take.",
                               [](const WatchedCollectives& now) { return sample_of(now.share); }},
    Metric<WatchedCollectives>{"tofn_bandwidth_drift_ratio", gauge,
                               "Mean change of bus bandwidth since the first calls.",
                               [](const WatchedCollectives& now) { return sample_of(now.drift); }},
    Metric<WatchedCollectives>{
        "tofn_bandwidth_cause", gauge,
        "1 of the likely cause of falling bandwidth, 0 of the others.",
        [](const WatchedCollectives& now) { return suspected(bandwidth_causes(), now.cause); }}};

}  // namespace

std::span<const Metric<WatchAnswer>> step_metrics() { return metrics_of_steps; }
std::span<const Metric<WatchedCollectives>> collective_metrics() { return metrics_of_collectives; }

std::string watch_metrics(const WatchAnswer& now, const std::string& log) {
  return metrics_text(step_metrics(), now, {{"log", log}});
}

std::string watch_metrics(const WatchedCollectives& now, const std::string& log) {
  return metrics_text(collective_metrics(), now, {{"log", log}});
}

}  // namespace report
}  // namespace tofn
