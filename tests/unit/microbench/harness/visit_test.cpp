#include "microbench/harness/visit.hpp"

#include "microbench/harness/thread_team.hpp"
#include "tests/catch.hpp"

using namespace tofn::bench;

namespace {

/// A case whose calls take three times as long on the host as on the device.
class OnDevice : public Timed {
 public:
  explicit OnDevice(double seconds) : seconds_(seconds) {}
  Elapsed run(int calls) override {
    return {.host = 3 * calls * seconds_, .device = calls * seconds_};
  }

 private:
  double seconds_;
};

}  // namespace

TEST_CASE("samples of many calls are of one call each, on the host and on the device") {
  VisitSamples of_first;
  run_threads(2, [&](Team& team) {
    Watchdog watchdog(60, [](const std::string&, double) {});
    OnDevice timed(team.rank() == 0 ? 1.0 : 2.0);
    VisitSamples samples;
    samples.calls_per_sample = 8;
    samples.samples_per_visit = 3;
    visit(team, watchdog, &timed, samples);
    if (team.rank() == 0) of_first = samples;
    return 0;
  });
  CHECK(of_first.host == std::vector<double>(3, 6.0));
  CHECK(of_first.device == std::vector<double>(3, 2.0));
  CHECK(of_first.time == 3 * 8 * 6.0);
}
