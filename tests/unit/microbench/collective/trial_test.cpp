#include "microbench/collective/trial.hpp"

#include "tests/catch.hpp"
#include "tests/unit/microbench/collective/thread_backend.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

const ElementType& fp32() { return element_type("fp32", "--type"); }

using TrialSizes = std::vector<std::size_t>;

/// Numbers of elements: chunk, send, receive, total.
TrialSizes extent(const char* name, int ranks, double bytes) {
  const Extent found = extent_of(operation(name), fp32(), ranks, bytes);
  return {found.chunk, found.send, found.receive, found.total};
}

/// Errors of check_result() on each rank after one call, `right` if there is none. `change` may
/// change the received data before the check.
template <class Change>
std::vector<std::string> results_of(const Operation& operation, int ranks, bool in_place,
                                    Change change) {
  std::vector<std::string> results(static_cast<std::size_t>(ranks), "right");
  ThreadNetwork network;
  run_threads(ranks, [&](Team& team) {
    ThreadBackend backend(network);
    const auto communicator = backend.join(team, 0);
    const Extent size = extent_of(operation, fp32(), ranks, 4000);
    TrialBuffers buffers;
    buffers.send = communicator->allocate((in_place ? size.total : size.send) * 4);
    if (!in_place) buffers.receive = communicator->allocate(size.receive * 4);
    Trial trial(*communicator, buffers, operation, fp32(), size);
    trial.fill();
    trial.run(1);
    change(team.rank(), in_place ? *buffers.send : *buffers.receive);
    try {
      trial.check_result();
    } catch (const std::runtime_error& error) {
      results[static_cast<std::size_t>(team.rank())] = error.what();
    }
    return 0;
  });
  return results;
}

/// The third of four ranks, which records its calls. A call takes a second, half of it on a device.
class Watching : public LibraryCommunicator {
 public:
  Member member() const override { return {.rank = 2, .size = 4}; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<HostBuffer>(bytes);
  }
  Elapsed run(const Call& first, int made) override {
    last = first;
    calls += made;
    return {.host = 1.0 * made, .device = 0.5 * made};
  }
  Call last;
  int calls = 0;
};

}  // namespace

TEST_CASE("sizes are the larger of send and receive buffer, in whole chunks") {
  // Sizes of nccl-tests: 1000 bytes have 250 elements, on 4 ranks in chunks of 62.
  CHECK(extent("all-reduce", 4, 1000) == TrialSizes{250, 250, 250, 250});
  CHECK(extent("broadcast", 4, 1000) == TrialSizes{250, 250, 250, 250});
  CHECK(extent("send-receive-ring", 4, 1000) == TrialSizes{250, 250, 250, 250});
  CHECK(extent("send-receive-pairs", 4, 1000) == TrialSizes{250, 250, 250, 250});
  CHECK(extent("reduce-scatter", 4, 1000) == TrialSizes{60, 240, 60, 240});
  CHECK(extent("all-gather", 4, 1000) == TrialSizes{60, 60, 240, 240});
  CHECK(extent("all-to-all", 4, 1000) == TrialSizes{60, 240, 240, 240});
}

TEST_CASE("there is at least one element a chunk") {
  CHECK(extent("all-reduce", 4, 1) == TrialSizes{1, 1, 1, 1});
  CHECK(extent("all-gather", 5, 8) == TrialSizes{1, 1, 5, 5});
  CHECK(extent("all-to-all", 3, 12) == TrialSizes{1, 3, 3, 3});
  CHECK(extent("all-reduce", 4, 11.9) == TrialSizes{2, 2, 2, 2});
  // A chunk of 341 elements is cut to whole packs of 16 B; one smaller than a pack is not.
  CHECK(extent("all-gather", 3, 4096) == TrialSizes{340, 340, 1020, 1020});
  CHECK(extent("all-reduce", 3, 4092) == TrialSizes{1023, 1023, 1023, 1023});
}

TEST_CASE("a size beyond any memory stays beyond it") {
  for (const char* name : {"all-reduce", "all-to-all", "all-gather"}) {
    const Extent size = extent_of(operation(name), fp32(), 2, 1e30);
    CHECK(size.total >= 1000000000000000000U);
    CHECK(bytes_needed(fp32(), size, false) > 1e18);
  }
}

TEST_CASE("the memory of a trial is one buffer in place, else two") {
  const Extent size{.chunk = 10, .send = 10, .receive = 40, .total = 40};
  CHECK(bytes_needed(fp32(), size, true) == 160);
  CHECK(bytes_needed(fp32(), size, false) == 200);
}

TEST_CASE("right results are taken, in place and out of place") {
  for (const Operation& each : operations())
    for (const int ranks : {2, 3, 4})
      for (const bool in_place : {false, true}) {
        if (!each.is_possible_on(ranks)) continue;
        if (in_place ? !each.can_be_in_place : each.must_be_in_place) continue;
        INFO(each.name << " on " << ranks << " ranks, in place: " << in_place);
        CHECK(results_of(each, ranks, in_place, [](int, Buffer&) {}) ==
              std::vector<std::string>(static_cast<std::size_t>(ranks), "right"));
      }
}

TEST_CASE("a bit that changed between call and check is seen on the rank that has it") {
  for (const Operation& each : operations()) {
    INFO(each.name);
    const auto results = results_of(each, 4, each.must_be_in_place, [](int rank, Buffer& received) {
      if (rank == 2) received.data()[received.size() - 1] ^= std::byte{1};
    });
    CHECK(results[0] == "right");
    CHECK(results[1] == "right");
    CHECK(results[3] == "right");
    CHECK_THAT(results[2], ContainsText("wrong result: element "));
    CHECK_THAT(results[2], ContainsText("; 1 of "));
  }
}

TEST_CASE("a call that does nothing is seen") {
  for (const Operation& each : operations()) {
    INFO(each.name);
    const auto results = results_of(each, 2, each.must_be_in_place, [](int, Buffer& received) {
      const std::vector<std::byte> before(received.size(), std::byte{0xee});
      received.write(0, before);
    });
    for (const std::string& result : results) CHECK_THAT(result, ContainsText("wrong result: "));
  }
}

TEST_CASE("gigabytes are filled and checked in slabs, and each is heard of") {
  ThreadNetwork network;
  run_threads(2, [&](Team& team) {
    ThreadBackend backend(network);
    const auto communicator = backend.join(team, 0);
    constexpr std::size_t bytes = (64U << 20U) + 4000;  // a little more than a slab
    TrialBuffers buffers{.send = communicator->allocate(bytes),
                         .receive = communicator->allocate(bytes)};
    const Operation& all_reduce = operation("all-reduce");
    Trial trial(*communicator, buffers, all_reduce, fp32(),
                extent_of(all_reduce, fp32(), 2, static_cast<double>(bytes)));
    int slabs = 0;
    const auto count = [&] { ++slabs; };
    trial.fill(count);
    CHECK(slabs == 4);  // slabs of two buffers
    trial.run(1);
    CHECK_NOTHROW(trial.check_result(count));
    CHECK(slabs == 6);
    const std::vector<std::byte> wrong(4, std::byte{0xee});
    buffers.receive->write(bytes - 4, wrong);
    CHECK_THROWS_WITH(trial.check_result(),
                      ContainsText("wrong result: element 16778215 is 0xeeeeeeee, not ") &&
                          ContainsText("; 1 of 1000 elements are wrong"));
    return 0;
  });
}

TEST_CASE("what an earlier call left is no result of a later one") {
  ThreadNetwork network;
  run_threads(1, [&](Team& team) {
    ThreadBackend backend(network);
    const auto communicator = backend.join(team, 0);
    TrialBuffers buffers{.send = communicator->allocate(64), .receive = communicator->allocate(64)};
    const Operation& all_reduce = operation("all-reduce");
    Trial trial(*communicator, buffers, all_reduce, fp32(), extent_of(all_reduce, fp32(), 1, 64));
    trial.fill();
    trial.run(1);
    CHECK_NOTHROW(trial.check_result());
    trial.fill();
    CHECK_THROWS(trial.check_result());
    return 0;
  });
}

TEST_CASE("in place the buffers overlap as MPI and NCCL ask") {
  constexpr std::ptrdiff_t third_chunk = 2 * 4 * 4;  // four elements of four bytes each
  const auto receive_after_send = [](const char* name) {
    Watching watching;
    TrialBuffers buffers{.send = watching.allocate(64), .receive = nullptr};
    const Operation& each = operation(name);
    Trial(watching, buffers, each, fp32(), extent_of(each, fp32(), 4, 64)).run(1);
    return static_cast<const std::byte*>(watching.last.receive) -
           static_cast<const std::byte*>(watching.last.send);
  };
  CHECK(receive_after_send("all-reduce") == 0);
  CHECK(receive_after_send("broadcast") == 0);
  CHECK(receive_after_send("reduce-scatter") == third_chunk);
  CHECK(receive_after_send("all-gather") == -third_chunk);
}

TEST_CASE("a ping-pong is timed there and back, and told as one way") {
  Watching watching;
  TrialBuffers buffers{.send = watching.allocate(64), .receive = watching.allocate(64)};
  const auto run = [&](const char* name) {
    const Operation& each = operation(name);
    return Trial(watching, buffers, each, fp32(), extent_of(each, fp32(), 4, 64)).run(3);
  };
  const Elapsed pairs = run("send-receive-pairs");
  CHECK(watching.calls == 6);
  CHECK(pairs.host == 3);
  CHECK(pairs.device == 1.5);
  const Elapsed ring = run("send-receive-ring");
  CHECK(watching.calls == 9);
  CHECK(ring.host == 3);
}

TEST_CASE("timed calls leave a known result unless they overwrite what they read") {
  ThreadNetwork network;
  run_threads(1, [&](Team& team) {
    ThreadBackend backend(network);
    const auto communicator = backend.join(team, 0);
    const auto keeps_input = [&](const char* name, bool in_place) {
      TrialBuffers buffers;
      buffers.send = communicator->allocate(64);
      if (!in_place) buffers.receive = communicator->allocate(64);
      const Operation& each = operation(name);
      return Trial(*communicator, buffers, each, fp32(), extent_of(each, fp32(), 1, 64))
          .keeps_input();
    };
    CHECK(keeps_input("all-reduce", false));
    CHECK_FALSE(keeps_input("all-reduce", true));
    CHECK_FALSE(keeps_input("broadcast", false));  // the root changes
    CHECK(keeps_input("all-to-all", false));
    return 0;
  });
}
