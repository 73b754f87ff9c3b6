#include "microbench/collective/collective_sweep.hpp"

#include <algorithm>
#include <cstdio>

#include "sim/config/load_record.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"
#include "tests/unit/microbench/collective/thread_backend.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

constexpr StoppingRule quick{.share = 1, .most_time = 1e-3, .visit_time = 1e-4, .least_visits = 2};

CollectiveSweep all_operations(std::vector<double> sizes) {
  CollectiveSweep sweep{.operations = {},
                        .types = {&element_type("fp32", "--type")},
                        .groups = {GroupKind::World},
                        .in_place = {false},
                        .sizes = std::move(sizes)};
  for (const Operation& each : operations()) sweep.operations.push_back(&each);
  return sweep;
}

struct Outcome {
  std::vector<std::string> endings;  ///< by rank: `done`, or `code: message`
  Record record;
};

/// Runs a sweep over threads, on nodes of two ranks, without printing progress.
Outcome swept(ThreadNetwork& network, int ranks, const CollectiveSweep& sweep) {
  const TemporaryFile file("sweep.json", "");
  Outcome outcome{.endings = std::vector<std::string>(static_cast<std::size_t>(ranks), "done"),
                  .record = {}};
  run_threads(ranks, [&](Team& team) {
    Watchdog watchdog(60, [](const std::string&, double) {});
    Recorder recorder(team, file.path(), {});
    Progress progress(false, 1);
    const Placement placement =
        place(std::vector<std::string>(static_cast<std::size_t>(ranks), "h"), 2);
    Lab lab{.team = team,
            .placement = placement,
            .rule = quick,
            .watchdog = watchdog,
            .recorder = recorder,
            .progress = progress,
            .who = "host h, rank " + std::to_string(team.rank())};
    ThreadBackend backend(network);
    auto& ending = outcome.endings[static_cast<std::size_t>(team.rank())];
    try {
      run(lab, backend, sweep);
    } catch (const SharedFailure& failure) {
      ending = std::to_string(failure.exit_code()) + ": " + failure.what();
    } catch (const InputError& error) {
      ending = std::string("2: ") + error.what();
    }
    return 0;
  });
  outcome.record = load_record(file.path());
  return outcome;
}

template <class T>
T value_of(const RecordPoint& point, const char* name) {
  return std::get<T>(*parameter(point, name));
}

std::vector<long long> sizes_of(const Record& record, const std::string& operation) {
  std::vector<long long> sizes;
  for (const RecordPoint& point : record.points)
    if (value_of<std::string>(point, "operation") == operation)
      sizes.push_back(value_of<long long>(point, "size_bytes"));
  return sizes;
}

}  // namespace

TEST_CASE("a sweep measures each size of each operation once") {
  ThreadNetwork network;
  const Outcome outcome = swept(network, 4, all_operations({4, 8, 64, 70, 1000}));
  CHECK(outcome.endings == std::vector<std::string>(4, "done"));
  CHECK(sizes_of(outcome.record, "all-reduce") == std::vector<long long>{4, 8, 64, 68, 1000});
  CHECK(sizes_of(outcome.record, "all-gather") == std::vector<long long>{16, 64, 960});
  for (const RecordPoint& point : outcome.record.points) CHECK(point.is_complete);
}

TEST_CASE("bus bandwidth is that of nccl-tests") {
  ThreadNetwork network;
  CollectiveSweep sweep = all_operations({1024});
  sweep.in_place = {false, true};
  const Outcome outcome = swept(network, 4, sweep);
  // Factors for 4 ranks from doc/PERFORMANCE.md of nccl-tests.
  const std::map<std::string, double> factors{
      {"all-reduce", 1.5},  {"reduce-scatter", 0.75}, {"all-gather", 0.75},     {"broadcast", 1},
      {"all-to-all", 0.75}, {"send-receive-ring", 1}, {"send-receive-pairs", 1}};
  std::map<std::string, int> points;
  for (const RecordPoint& point : outcome.record.points) {
    const auto name = value_of<std::string>(point, "operation");
    INFO(name);
    ++points[name];
    REQUIRE(point.figures.size() == 2);
    const double bandwidth = 1024 / point.summary.median / 1e9;
    CHECK(point.figures[0].first == "algorithm_bandwidth_gb_s");
    CHECK_THAT(point.figures[0].second, WithinRel(bandwidth, 1e-5));
    CHECK(point.figures[1].first == "bus_bandwidth_gb_s");
    CHECK_THAT(point.figures[1].second, WithinRel(bandwidth * factors.at(name), 1e-5));
  }
  // Each operation has points out of place and in place, if it supports that form.
  CHECK(points == std::map<std::string, int>{{"all-reduce", 2},
                                             {"reduce-scatter", 2},
                                             {"all-gather", 2},
                                             {"broadcast", 2},
                                             {"all-to-all", 1},
                                             {"send-receive-ring", 1},
                                             {"send-receive-pairs", 1}});
}

TEST_CASE("a wrong result ends the sweep and names host, rank, operation and size") {
  ThreadNetwork network;
  network.damage = [](Member member, std::byte* received, std::size_t bytes) {
    if (member.rank == 1 && bytes == 64) received[5] ^= std::byte{0x10};
  };
  const Outcome outcome = swept(network, 2, all_operations({8, 64}));
  CHECK(outcome.endings[0] == outcome.endings[1]);
  CHECK_THAT(outcome.endings[0],
             ContainsText("1: host h, rank 1: all-reduce of 64 B (fp32, world): wrong result: "
                          "element 1 is 0x"));
  CHECK(outcome.record.points.size() <= 1);  // at most that of 8 B, and not the wrong one
}

TEST_CASE("a result that goes wrong only while it is timed is seen as well") {
  ThreadNetwork network;
  int calls = 0;
  network.damage = [&](Member member, std::byte* received, std::size_t) {
    if (member.rank == 1 && ++calls > 1) received[0] ^= std::byte{0x10};
  };
  auto sweep = all_operations({64});
  for (const bool in_place : {false, true}) {
    INFO("in place: " << in_place);
    calls = 0;
    sweep.in_place = {in_place};
    const Outcome outcome = swept(network, 2, sweep);
    CHECK_THAT(outcome.endings[0], ContainsText("1: host h, rank 1: all-reduce of 64 B (fp32, "));
    CHECK_THAT(outcome.endings[0], ContainsText("wrong result: element 0 is 0x"));
    for (const RecordPoint& point : outcome.record.points) CHECK_FALSE(point.is_complete);
  }
}

TEST_CASE("sizes that do not fit into memory are left out") {
  // An all-reduce of 1 KiB out of place needs 2 KiB, and a twentieth of the memory stays free.
  CollectiveSweep sweep = all_operations({64, 1024});
  sweep.operations.resize(1);
  ThreadNetwork network;
  network.memory = 2048 / 0.95 + 1;
  CHECK(sizes_of(swept(network, 2, sweep).record, "all-reduce") ==
        std::vector<long long>{64, 1024});
  network.memory = 2048 / 0.95 - 1;
  CHECK(sizes_of(swept(network, 2, sweep).record, "all-reduce") == std::vector<long long>{64});
  network.memory = 100;
  CHECK(swept(network, 2, sweep).endings[0] ==
        "2: nothing of this can be measured here; the reasons stand above");
}

TEST_CASE("a sweep of nothing that can be measured is a mistake of the user") {
  ThreadNetwork network;
  CollectiveSweep sweep = all_operations({64});
  sweep.types = {&element_type("bf16", "--type")};
  sweep.operations.resize(1);
  CHECK(swept(network, 2, sweep).endings ==
        std::vector<std::string>(
            2, "2: nothing of this can be measured here; the reasons stand above"));
  sweep.types = {&element_type("fp32", "--type")};
  sweep.groups = {GroupKind::Leaders};  // leaders of a single node
  CHECK(swept(network, 2, sweep).endings[1] ==
        "2: nothing of this can be measured here; the reasons stand above");
}

TEST_CASE("groups run at the same time, and ranks outside wait") {
  ThreadNetwork network;
  CollectiveSweep sweep = all_operations({64});
  sweep.groups = {GroupKind::World, GroupKind::Node, GroupKind::Leaders, GroupKind::Rails};
  sweep.operations.resize(1);
  const Outcome outcome = swept(network, 4, sweep);
  CHECK(outcome.endings == std::vector<std::string>(4, "done"));
  std::vector<std::vector<long long>> shapes;
  for (const RecordPoint& point : outcome.record.points)
    shapes.push_back({value_of<long long>(point, "group_ranks"),
                      value_of<long long>(point, "group_nodes"),
                      value_of<long long>(point, "groups")});
  CHECK(shapes == std::vector<std::vector<long long>>{{4, 2, 1}, {2, 1, 2}, {2, 2, 1}, {2, 2, 2}});
}

TEST_CASE("the most points of a sweep are all combinations") {
  CollectiveSweep sweep = all_operations({8, 16, 32});
  sweep.in_place = {false, true};
  CHECK(most_points(sweep) == 7 * 3 * 2);
}
