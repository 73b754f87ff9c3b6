#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace serve {

/// The page to serve on this machine, and the functions that answer it.
struct LoopbackService {
  int port = 0;  ///< 0: any free port
  std::string page;
  /// Answers JSON with JSON; called from several threads at once.
  std::function<std::string(std::string_view question)> answer;
  std::function<void(int port)> on_ready{};
  std::function<bool()> is_stopped;  ///< polled several times a second
};

/// True if this program was built with an HTTP library.
bool has_http_library();

/// Serves GET / with the page and POST /answer, on 127.0.0.1 alone, until it is stopped. Refuses
/// requests from another origin, host name or method, and those larger than a mebibyte. Drops a
/// question of a `Tofn-Change: SLOT NUMBER` (409) if a later one of its slot is known. InputError
/// if the port is taken.
void serve_on_loopback(const LoopbackService&);

}  // namespace serve
}  // namespace tofn
