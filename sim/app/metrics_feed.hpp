#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "sim/core/joined_thread.hpp"

namespace tofn {
inline namespace app {

/// Where a command's metrics go: a file, or a port of 127.0.0.1.
struct MetricsTarget {
  std::filesystem::path file{};  ///< empty: a port
  int port = 0;

  bool is_port() const { return file.empty(); }
};

/// Reads a port, or the name of a file that ends in `.prom`, which is what the textfile collector
/// of Prometheus' node_exporter reads. InputError if it is neither.
MetricsTarget metrics_target(const std::string& text, const std::string& flag);

/// Gives metrics to Prometheus as long as it exists: as a file that is replaced atomically, or as
/// `/metrics` over HTTP.
class MetricsFeed {
 public:
  /// Opens the port. InputError if it is taken. `option` is the flag that named the target.
  MetricsFeed(const MetricsTarget&, const std::string& option);
  ~MetricsFeed();
  MetricsFeed(const MetricsFeed&) = delete;
  MetricsFeed& operator=(const MetricsFeed&) = delete;

  /// Replaces the metrics. InputError or WriteError if the file cannot be written.
  void publish(std::string text);

 private:
  void serve(const std::string& option);

  MetricsTarget target_;
  std::mutex mutex_{};
  std::string text_{};
  std::atomic<bool> is_stopped_ = false;
  std::optional<JoinedThread> server_{};
};

}  // namespace app
}  // namespace tofn
