#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace serve {

/// A page to serve on this machine with the function that answers it, or metrics. The functions are
/// called from several threads at once.
struct LoopbackService {
  int port = 0;                        ///< 0: any free port
  std::string_view option = "--port";  ///< that named the port
  std::string page{};                  ///< GET /, which asks `answer`
  /// POST /answer, which answers JSON with JSON; empty if there is no page.
  std::function<std::string(std::string_view question)> answer{};
  /// GET /metrics, in Prometheus' text format; empty if there are none.
  std::function<std::string()> metrics{};
  std::function<void(int port)> on_ready{};
  std::function<bool()> is_stopped;  ///< polled several times a second
};

/// True if this program was built with an HTTP library.
bool has_http_library();

/// Serves GET / with the page and POST /answer, or GET /metrics, on 127.0.0.1 alone, until it is
/// stopped. Refuses
/// requests from another origin, host name or method, and those larger than a mebibyte. Drops a
/// question of a `Tofn-Change: SLOT NUMBER` (409) if a later one of its slot is known. InputError
/// if the port is taken.
void serve_on_loopback(const LoopbackService&);

}  // namespace serve
}  // namespace tofn
