// Requests that reach `tofn explore` over its socket.
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "sim/serve/loopback_server.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

/// The page's server, in its own thread.
class ServerOfPage {
 public:
  ServerOfPage() {
    thread_ = std::thread([this] {
      serve_on_loopback({.page = "page",
                         .answer =
                             [](std::string_view question) {
                               return "{\"bytes\":" + std::to_string(question.size()) + "}";
                             },
                         .on_ready = [this](int port) { port_ = port; },
                         .is_stopped = [this] { return is_stopped_.load(); }});
    });
    while (port_ == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  ~ServerOfPage() {
    is_stopped_ = true;
    thread_.join();
  }
  ServerOfPage(const ServerOfPage&) = delete;
  ServerOfPage& operator=(const ServerOfPage&) = delete;
  int port() const { return port_; }

 private:
  std::atomic<int> port_ = 0;
  std::atomic<bool> is_stopped_ = false;
  std::thread thread_;
};

/// Reply of the server to these bytes; the client sends no more.
std::string reply_to(const std::string& bytes, int port) {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  require(socket >= 0, "there is a socket");
  // A reset frees the port at once; otherwise it would stay taken for a minute.
  const ::linger at_once{.l_onoff = 1, .l_linger = 0};
  ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  ::sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const auto* const place = reinterpret_cast<const ::sockaddr*>(&address);
  while (::connect(socket, place, sizeof address) != 0 && errno != EISCONN) {
    // Ports are soon free again, and the fuzzer's alarm may interrupt the call.
    require(errno == EADDRNOTAVAIL || errno == EINTR || errno == EALREADY,
            "the server still listens");
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  ::shutdown(socket, SHUT_WR);
  std::string reply;
  char part[4096];
  for (::ssize_t got = 0; (got = ::recv(socket, part, sizeof part, 0)) > 0;)
    reply.append(part, static_cast<std::size_t>(got));
  ::close(socket);
  return reply;
}

/// The server of all inputs, which the first one starts.
std::unique_ptr<const ServerOfPage>& server_of_page() {
  static std::unique_ptr<const ServerOfPage> server;
  return server;
}

/// Sends a request. `PORT` in the input stands for the server's port, which it checks.
void request(const std::string& input) {
  if (!server_of_page()) server_of_page() = std::make_unique<const ServerOfPage>();
  const ServerOfPage& server = *server_of_page();
  constexpr std::string_view word = "PORT";
  std::string bytes = input;
  for (auto at = bytes.find(word); at != bytes.npos; at = bytes.find(word))
    bytes.replace(at, word.size(), std::to_string(server.port()));
  const std::string reply = reply_to(bytes, server.port());
  require(reply.empty() || reply.starts_with("HTTP/1."), "a reply is HTTP");
}

std::vector<std::string> words_of_http() {
  return {"GET",
          "POST",
          "HEAD",
          "PUT",
          "OPTIONS",
          "/answer",
          "/",
          "..",
          "HTTP/1.1",
          "Host:",
          "Content-Length:",
          "Content-Type:",
          "chunked",
          "Origin:",
          "Expect:",
          "100-continue",
          "Transfer-Encoding:",
          "Tofn-Change:",
          "Range:",
          "bytes=0-1",
          "Connection:",
          "keep-alive",
          "application/json",
          "gzip",
          "multipart/form-data;",
          "boundary=a",
          "Accept-Encoding:",
          "\r\n"};
}

}  // namespace

void stop_listening() { server_of_page().reset(); }

TargetTable listening_targets() {
  return {{.name = "http",
           .reads = "requests to `explore`",
           .run = request,
           .millions = 10,
           .words = words_of_http}};
}

}  // namespace tofn::fuzz
