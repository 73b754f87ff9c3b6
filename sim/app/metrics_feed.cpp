#include "sim/app/metrics_feed.hpp"

#include <future>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/options/option_values.hpp"
#include "sim/serve/loopback_server.hpp"

namespace tofn {
inline namespace app {

MetricsTarget metrics_target(const std::string& text, const std::string& flag) {
  constexpr int last_port = 65535;
  if (text.find_first_not_of("0123456789") == text.npos)
    return {.port = whole_number(text, flag, last_port)};
  if (std::filesystem::path(text).extension() != ".prom")
    throw InputError({}, flag,
                     "needs a port, or a file whose name ends in .prom, as node_exporter's "
                     "textfile collector reads it; got '" +
                         shortened(text) + "'");
  return {.file = text};
}

MetricsFeed::MetricsFeed(const MetricsTarget& target, const std::string& option) : target_(target) {
  if (target_.is_port()) serve(option);
}

MetricsFeed::~MetricsFeed() { is_stopped_ = true; }

void MetricsFeed::serve(const std::string& option) {
  std::promise<void> opened;
  auto is_open = opened.get_future();
  server_.emplace([this, option, opened = std::move(opened)]() mutable {
    try {
      serve_on_loopback({.port = target_.port,
                         .option = option,
                         .metrics =
                             [this] {
                               const std::lock_guard lock(mutex_);
                               return text_;
                             },
                         .on_ready = [&](int) { opened.set_value(); },
                         .is_stopped = [this] { return is_stopped_.load(); }});
    } catch (const InputError&) {
      opened.set_exception(std::current_exception());
    }
  });
  is_open.get();
}

void MetricsFeed::publish(std::string text) {
  if (!target_.is_port()) return write_text_file_atomically(target_.file, text);
  const std::lock_guard lock(mutex_);
  text_ = std::move(text);
}

}  // namespace app
}  // namespace tofn
