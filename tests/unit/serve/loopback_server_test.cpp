#include "sim/serve/loopback_server.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a server that is told to stop before it listens ends") {
  for (int i = 0; i < 10; ++i) {
    std::promise<bool> ended;
    auto has_ended = ended.get_future();
    std::thread([ended = std::move(ended)]() mutable {
      try {
        serve_on_loopback({.page = "page",
                           .answer = [](std::string_view) { return std::string("{}"); },
                           .on_ready = {},
                           .is_stopped = [] { return true; }});
      } catch (const InputError&) {  // built without the library
      }
      ended.set_value(true);
    }).detach();
    REQUIRE(has_ended.wait_for(std::chrono::seconds(60)) == std::future_status::ready);
  }
}

TEST_CASE("a port that a server listens on is refused to a second one") {
  if (!has_http_library()) return;
  std::atomic<bool> is_done = false;
  std::promise<int> opened;
  std::thread first([&] {
    serve_on_loopback({.page = "page",
                       .answer = [](std::string_view) { return std::string("{}"); },
                       .on_ready = [&](int port) { opened.set_value(port); },
                       .is_stopped = [&] { return is_done.load(); }});
  });
  const int port = opened.get_future().get();
  const std::string stated = refusal([&] {
    serve_on_loopback({.port = port,
                       .page = "page",
                       .answer = [](std::string_view) { return std::string("{}"); },
                       .on_ready = {},
                       .is_stopped = [] { return true; }});
  });
  is_done = true;
  first.join();
  CHECK_THAT(stated, ContainsText("cannot be listened on: another program may have it"));
}

TEST_CASE("a port that is taken is refused by the option that named it") {
  if (!has_http_library()) return;
  std::atomic<bool> is_done = false;
  std::promise<int> opened;
  std::thread first([&] {
    serve_on_loopback({.metrics = [] { return std::string("tofn_x 1\n"); },
                       .on_ready = [&](int port) { opened.set_value(port); },
                       .is_stopped = [&] { return is_done.load(); }});
  });
  const int port = opened.get_future().get();
  const std::string stated = refusal([&] {
    serve_on_loopback({.port = port,
                       .option = "--metrics",
                       .metrics = [] { return std::string(); },
                       .is_stopped = [] { return true; }});
  });
  is_done = true;
  first.join();
  CHECK_THAT(stated, ContainsText("--metrics: "));
}
