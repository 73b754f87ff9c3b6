#include "microbench/collective/cold_trial.hpp"

#include "microbench/harness/host_buffer.hpp"
#include "tests/catch.hpp"

using namespace tofn::bench;

namespace {

/// The first of two ranks. It records the sizes of the calls, and overwrites the input of large
/// ones, as an all-reduce in place does.
class Spoiling : public LibraryCommunicator {
 public:
  Member member() const override { return {.rank = 0, .size = 2}; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<HostBuffer>(bytes);
  }
  Elapsed run(const Call& call, int calls) override {
    for (int i = 0; i < calls; ++i) chunks.push_back(call.chunk);
    if (call.chunk == 1) return {.host = 100, .device = {}};
    auto* first = static_cast<float*>(call.receive);
    found.push_back(*first);
    *first = -1;
    return {.host = 1, .device = {}};
  }
  std::vector<std::size_t> chunks;
  std::vector<float> found;
};

}  // namespace

TEST_CASE(
    "a cold trial writes what it sends and aligns the ranks before each call, off the clock") {
  Spoiling communicator;
  const Operation& all_reduce = operation("all-reduce");
  const ElementType& type = element_type("fp32", "--type");
  TrialBuffers buffers;
  buffers.send = communicator.allocate(64);
  Trial trial(communicator, buffers, all_reduce, type, extent_of(all_reduce, type, 2, 64));
  const float sent = 7;
  buffers.send->write(0, std::as_bytes(std::span(&sent, 1)));
  CHECK(ColdTrial(communicator, trial).run(3).host == 3);
  CHECK(communicator.chunks == std::vector<std::size_t>{1, 16, 1, 16, 1, 16});
  CHECK(communicator.found == std::vector<float>{7, 7, 7});
}
