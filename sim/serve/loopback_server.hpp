#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace serve {

/// What a page on this machine is served with.
struct LoopbackService {
  int port = 0;  ///< 0: one that is free
  std::string page;
  /// JSON -> JSON, from several threads at once.
  std::function<std::string(std::string_view question)> answer;
  std::function<void(int port)> on_ready{};
  std::function<bool()> is_stopped;  ///< asked several times a second
};

/// Whether this program was built with an HTTP library.
bool has_http_library();

/// Serves GET / with the page and POST /answer, on 127.0.0.1 alone, until it is stopped. What
/// another origin, another host name or another method asks is refused, as is what is larger than a
/// mebibyte. A question of a `Tofn-Change: SLOT NUMBER` is dropped (409) where a later one of its
/// slot is known. Throws InputError where the port is taken.
void serve_on_loopback(const LoopbackService&);

}  // namespace serve
}  // namespace tofn
