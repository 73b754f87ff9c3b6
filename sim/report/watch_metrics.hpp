#pragma once

#include <span>
#include <string>

#include "sim/answers/watch_answer.hpp"
#include "sim/answers/watch_collectives_answer.hpp"
#include "sim/report/prometheus_text.hpp"

namespace tofn {
inline namespace report {

/// Metrics of the steps of a running job; a dashboard in configs/dashboards draws them.
std::span<const Metric<WatchAnswer>> step_metrics();
/// Metrics of the collectives of a running job.
std::span<const Metric<WatchedCollectives>> collective_metrics();

/// Text exposition of a watched log, for Prometheus. Each sample has the label `log`, the file's
/// name, so that several logs can be told apart.
std::string watch_metrics(const WatchAnswer&, const std::string& log);
std::string watch_metrics(const WatchedCollectives&, const std::string& log);

}  // namespace report
}  // namespace tofn
