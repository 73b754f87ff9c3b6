#include "sim/serve/loopback_server.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/serve/change_order.hpp"

#ifdef TOFN_HAS_HTTP
#include <httplib.h>
#endif

namespace tofn {
inline namespace serve {

#ifdef TOFN_HAS_HTTP

bool has_http_library() { return true; }

namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr std::size_t largest_question = std::size_t{1} << 20;
constexpr std::size_t threads = 4;

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + '\n', "text/plain");
}

/// Reason to refuse a request from a stranger's page; empty if it comes from ours. The browser
/// names another site that sends it, or the name by which it found this machine (DNS rebinding).
std::string stranger(const httplib::Request& request, int port) {
  const std::array hosts{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)};
  const auto is_ours = [&](const std::string& host) {
    return host == hosts[0] || host == hosts[1];
  };
  const std::string host = request.get_header_value("Host");
  if (!is_ours(host)) return fmt::format("this server is {}, not '{}'", hosts[0], host);
  if (!request.has_header("Origin")) return {};
  const std::string origin = request.get_header_value("Origin");
  if (origin.starts_with("http://") && is_ours(origin.substr(7))) return {};
  return fmt::format("pages of {} may not ask here", origin);
}

void set_headers(httplib::Server& server) {
  server.set_default_headers({{"X-Content-Type-Options", "nosniff"},
                              {"Cache-Control", "no-store"},
                              {"Cross-Origin-Resource-Policy", "same-origin"},
                              {"Referrer-Policy", "no-referrer"}});
}

/// Sends the text uncompressed. The library would compress it for browsers that accept that, which
/// takes longer over loopback than it saves (7 s for 4 MB).
void send(httplib::Response& response, std::string text, const char* type) {
  const auto kept = std::make_shared<const std::string>(std::move(text));
  response.set_content_provider(
      kept->size(), type, [kept](std::size_t from, std::size_t length, httplib::DataSink& out) {
        return out.write(kept->data() + from, length);
      });
}

/// Sets the socket's options, because the library's own let two programs listen on one port, so
/// that either may get a question.
void set_socket(httplib::Server& server) {
  server.set_tcp_nodelay(true);
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
}

void set_metrics(httplib::Server& server, const LoopbackService& service) {
  server.Get("/metrics", [&](const httplib::Request&, httplib::Response& response) {
    send(response, service.metrics(), "text/plain; version=0.0.4; charset=utf-8");
  });
}

void set_answers(httplib::Server& server, const LoopbackService& service, ChangeOrder& order) {
  server.Get("/", [&](const httplib::Request&, httplib::Response& response) {
    send(response, service.page, "text/html; charset=utf-8");
  });
  server.Post("/answer", [&](const httplib::Request& request, httplib::Response& response) {
    // A form of another page cannot have this type unless its browser first asks here.
    if (request.get_header_value("Content-Type") != "application/json")
      return refuse(response, 415, "a question is of type application/json");
    const auto change = ChangeOrder::read(request.get_header_value("Tofn-Change"));
    if (change) order.note(*change);
    if (change && order.is_overtaken(*change)) return refuse(response, 409, "overtaken");
    send(response, service.answer(request.body), "application/json");
  });
}

void set_refusals(httplib::Server& server, const LoopbackService& service,
                  const std::atomic<int>& port) {
  server.set_pre_routing_handler([&](const httplib::Request& request, httplib::Response& response) {
    const std::string why = stranger(request, port);
    if (!why.empty())
      refuse(response, 403, why);
    else if (request.has_header("Range"))  // the library reads beyond an answer's end
      refuse(response, 416, "answers are sent whole");
    else
      return httplib::Server::HandlerResponse::Unhandled;
    return httplib::Server::HandlerResponse::Handled;
  });
  const char* served = service.answer ? "GET / is the page, POST /answer takes a question"
                                      : "GET /metrics has the metrics";
  server.set_error_handler([served](const httplib::Request&, httplib::Response& response) {
    if (response.body.empty()) refuse(response, response.status, served);
  });
  server.set_exception_handler(
      [](const httplib::Request&, httplib::Response& response, const std::exception_ptr&) {
        refuse(response, 500, "the question could not be answered");
      });
}

}  // namespace

void serve_on_loopback(const LoopbackService& service) {
  httplib::Server server;
  ChangeOrder order;
  std::atomic<int> port = service.port;
  server.new_task_queue = [] { return new httplib::ThreadPool(threads); };
  server.set_payload_max_length(largest_question);
  set_socket(server);
  set_headers(server);
  set_refusals(server, service, port);
  if (service.answer) set_answers(server, service, order);
  if (service.metrics) set_metrics(server, service);
  if (service.port == 0)
    port = server.bind_to_any_port(loopback);
  else if (!server.bind_to_port(loopback, service.port))
    port = -1;
  if (port <= 0)
    throw InputError(
        {}, std::string(service.option),
        fmt::format("{} cannot be listened on: another program may have it", service.port));
  if (service.on_ready) service.on_ready(port);
  const std::jthread stopper([&](const std::stop_token& done) {
    using namespace std::chrono_literals;
    // A server that is stopped before it listens would miss the stop.
    while (!done.stop_requested() && !(service.is_stopped() && server.is_running()))
      std::this_thread::sleep_for(50ms);
    server.stop();
  });
  server.listen_after_bind();
}

#else

bool has_http_library() { return false; }

void serve_on_loopback(const LoopbackService&) {
  throw InputError(
      "this tofn was built without an HTTP library: install libcpp-httplib-dev, configure and "
      "build again");
}

#endif

}  // namespace serve
}  // namespace tofn
