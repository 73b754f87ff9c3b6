#include "microbench/harness/watchdog.hpp"

#include <atomic>

#include "microbench/harness/timed.hpp"
#include "tests/catch.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

void sleep_for(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

/// Messages of a watchdog, which the test reads while it runs.
struct Barks {
  std::atomic<int> count = 0;
  std::string what;  // written before `count`, read after
  double seconds = 0;

  Watchdog::OnStall handler() {
    return [this](const std::string& stalled, double waited) {
      what = stalled;
      seconds = waited;
      ++count;
    };
  }
  void wait_for(int wanted) const {
    const double start = host_seconds();
    while (count < wanted && host_seconds() - start < 20) sleep_for(0.005);
  }
};

}  // namespace

TEST_CASE("a watchdog speaks once when nothing moves, and again of the next thing") {
  Barks barks;
  Watchdog watchdog(0.1, barks.handler());
  watchdog.start("joining the ranks");
  barks.wait_for(1);
  CHECK(barks.what == "joining the ranks");
  CHECK(barks.seconds >= 0.1);
  sleep_for(0.4);
  CHECK(barks.count == 1);

  watchdog.start("all-reduce of 8 B");
  CHECK(watchdog.current() == "all-reduce of 8 B");
  barks.wait_for(2);
  CHECK(barks.what == "all-reduce of 8 B");
}

TEST_CASE("a watchdog is silent while the work goes on") {
  Barks barks;
  Watchdog watchdog(1, barks.handler());
  watchdog.start("long work");
  const double start = host_seconds();
  while (host_seconds() - start < 1.5) {
    sleep_for(0.01);
    watchdog.progress();
  }
  CHECK(barks.count == 0);
}

TEST_CASE("a watchdog is silent when nothing is being waited for") {
  Barks barks;
  Watchdog watchdog(0.1, barks.handler());
  sleep_for(0.3);
  watchdog.start("short work");
  watchdog.stop();
  sleep_for(0.3);
  CHECK(barks.count == 0);
}

TEST_CASE("a watchdog does not hold up the end") {
  Barks barks;
  const double start = host_seconds();
  {
    Watchdog watchdog(1000, barks.handler());
    watchdog.start("work");
    sleep_for(0.05);  // it is waiting by now
  }
  CHECK(host_seconds() - start < 0.8);
  CHECK(barks.count == 0);
}
