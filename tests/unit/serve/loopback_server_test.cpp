#include "sim/serve/loopback_server.hpp"

#include <chrono>
#include <future>
#include <thread>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"

using namespace tofn;

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
