#include <cstdlib>
#include <iostream>
#include <mutex>

#include "microbench/collective/trial.hpp"
#include "microbench/cuda/cuda_processor.hpp"
#include "microbench/cuda/device_buffer.hpp"
#include "microbench/harness/thread_team.hpp"
#include "microbench/nccl/nccl_backend.hpp"
#include "microbench/nccl/pack_split.hpp"
#include "microbench/nccl/symmetric_windows.hpp"
#include "tests/gpu/gpu.hpp"

namespace tofn::bench {
namespace {

/// Errors that the ranks found. Ranks are threads, and only one thread may call Catch.
class Findings {
 public:
  void add(const std::string& text) {
    const std::lock_guard lock(mutex_);
    texts_ += text + '\n';
  }
  std::string texts() const { return texts_; }

 private:
  std::mutex mutex_;
  std::string texts_;
};

/// Runs `work` on one rank per GPU. A rank that fails between collectives would leave the others
/// waiting, so it ends the program.
void on_all_gpus(int gpus, const std::function<void(Team&, Device&)>& work) {
  run_threads(gpus, [&](Team& team) {
    try {
      Device device(team.rank(), team.size());
      work(team, device);
    } catch (const std::exception& error) {
      std::cerr << "rank " << team.rank() << ": " << error.what() << std::endl;
      std::_Exit(1);
    }
    return 0;
  });
}

/// Number of GPUs on which NCCL joins groups with such buffers. If it refuses, returns 0 and prints
/// a warning.
int gpus_for(const NcclOptions& options) {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return 0;
  Findings refusals;
  on_all_gpus(gpus, [&](Team& team, Device& device) {
    try {
      nccl_backend(device, options)->join(team, 0)->allocate(1024);
    } catch (const std::exception& error) {
      refusals.add(error.what());
    }
  });
  if (refusals.texts().empty()) return gpus;
  if (!test::is_refused_here(refusals.texts())) FAIL(refusals.texts());
  return 0;
}

/// Runs one call after filling the buffers, and several more in a row if the operation keeps its
/// input.
void check_trial(LibraryCommunicator& communicator, const Operation& operation,
                 const ElementType& type, bool in_place, double bytes, const std::string& title,
                 Findings& findings) {
  const Extent extent = extent_of(operation, type, communicator.member().size, bytes);
  const auto size = static_cast<std::size_t>(type.bytes);
  TrialBuffers buffers;
  buffers.send = communicator.allocate((in_place ? extent.total : extent.send) * size);
  if (!in_place) buffers.receive = communicator.allocate(extent.receive * size);
  Trial trial(communicator, buffers, operation, type, extent);
  trial.fill();
  const Elapsed elapsed = trial.run(1);
  if (!elapsed.device)
    findings.add(title + ": no time on the device");
  else if (elapsed.host < *elapsed.device)
    findings.add(title + ": the host waited for less time than the device took");
  try {
    trial.check_result();
    for (int i = 0; i < 2; ++i) trial.run(5);  // with graphs: captured, then only replayed
    if (trial.keeps_input()) trial.check_result();
  } catch (const std::exception& error) {
    findings.add(title + ": " + error.what());
  }
}

void check_operations(Team& team, Device& device, const NcclOptions& options, Findings& findings) {
  const auto backend = nccl_backend(device, options);
  const auto communicator = backend->join(team, 0);
  for (const Operation& operation : operations())
    for (const ElementType& type : element_types())
      for (const bool in_place : {false, true})
        for (const double bytes : {4.0, 10e3, gpu_stand_in() ? 600e3 : 4e6}) {
          if (in_place ? !operation.can_be_in_place : operation.must_be_in_place) continue;
          // A single GPU may send to itself within one call, but it cannot play ping-pong.
          if (operation.needs_pairs && !operation.is_possible_on(team.size())) continue;
          if (backend->objection(operation, type, in_place)) continue;
          check_trial(*communicator, operation, type, in_place, bytes,
                      std::string(operation.name) + " " + std::string(type.name) +
                          (in_place ? " in place" : ""),
                      findings);
        }
}

TEST_CASE("every operation of NCCL gives the result that it should") {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return;
  for (const bool cuda_graph : {false, true})
    for (const bool registered : {false, true}) {
      INFO((cuda_graph ? "graph" : "calls") << (registered ? ", registered" : ""));
      Findings findings;
      on_all_gpus(gpus, [&](Team& team, Device& device) {
        check_operations(team, device, {.cuda_graph = cuda_graph, .registered = registered},
                         findings);
      });
      CHECK_THAT(findings.texts(), test::Equals(""));
    }
}

TEST_CASE("kernels over NCCL's device API give the result that they should") {
  const int gpus = gpus_for({.device_api = true});
  if (gpus == 0) return;
  for (const bool cuda_graph : {false, true}) {
    INFO((cuda_graph ? "graph" : "calls"));
    Findings findings;
    on_all_gpus(gpus, [&](Team& team, Device& device) {
      check_operations(team, device, {.cuda_graph = cuda_graph, .device_api = true}, findings);
    });
    CHECK_THAT(findings.texts(), test::Equals(""));
  }
}

TEST_CASE("chunks that begin at any element are moved, too, by kernels over the device API") {
  const int gpus = gpus_for({.device_api = true});
  if (gpus == 0) return;
  Findings findings;
  on_all_gpus(gpus, [&](Team& team, Device& device) {
    const auto communicator = nccl_backend(device, {.device_api = true})->join(team, 0);
    for (const char* name : {"all-reduce", "reduce-scatter", "all-gather"})
      for (const int chunk : {1, 3, 1001, 70001})
        for (const bool in_place : {false, true})
          check_trial(*communicator, operation(name), element_type("bf16", ""), in_place,
                      2.0 * chunk * team.size(), name, findings);
  });
  CHECK_THAT(findings.texts(), test::Equals(""));
}

TEST_CASE("what NCCL's device API is not used for is named") {
  if (gpus_for({.device_api = true}) == 0) return;
  Device device(0, 1);
  const auto backend = nccl_backend(device, {.device_api = true});
  const auto objection = [&](const char* name, const char* type) {
    return backend->objection(operation(name), element_type(type, ""), false).value_or("none");
  };
  for (const char* type : {"fp32", "fp16", "bf16", "int32"})
    CHECK(objection("reduce-scatter", type) == "none");
  CHECK(objection("broadcast", "fp32") ==
        "--device-api has no broadcast, but all-reduce, reduce-scatter, all-gather");
  CHECK(objection("all-gather", "fp8_e4m3") ==
        "--device-api has no fp8_e4m3, but fp32, fp16, bf16, int32");
}

TEST_CASE("each rank is a broadcast's root in its turn") {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return;
  Findings findings;
  on_all_gpus(gpus, [&](Team& team, Device& device) {
    const auto communicator = nccl_backend(device, {})->join(team, 0);
    const Operation& broadcast = operation("broadcast");
    const ElementType& type = element_types()[0];
    const std::size_t count = 1000;
    const Pattern pattern(broadcast, type, communicator->member());
    const auto sent = pattern.sent(count);
    const auto send = communicator->allocate(sent.size());
    const auto receive = communicator->allocate(sent.size());
    send->write(0, sent);
    for (int last = 0; last < team.size(); ++last) {
      communicator->run({.operation = &broadcast,
                         .type = &type,
                         .send = send->data(),
                         .receive = receive->data(),
                         .chunk = count},
                        last + 1);
      if (const auto problem = pattern.problem(receive->read(0, sent.size()), count, last))
        findings.add("root " + std::to_string(last) + ": " + *problem);
    }
  });
  CHECK_THAT(findings.texts(), test::Equals(""));
}

TEST_CASE("messages of a pair go there and back") {
  const int gpus = test::gpus_or_skip();
  if (gpus < 2) return;
  Findings findings;
  on_all_gpus(gpus, [&](Team& team, Device& device) {
    const auto communicator = nccl_backend(device, {})->join(team, team.rank() / 2);
    if (communicator->member().size < 2) return;  // the last rank of an odd number
    const Operation& pairs = operation("send-receive-pairs");
    const ElementType& type = element_types()[0];
    const std::size_t count = 1000;
    const auto of_rank = [&](int rank) {
      return Pattern(pairs, type, {.rank = rank, .size = 2}).sent(count);
    };
    const int rank = communicator->member().rank;
    const auto sent = of_rank(rank);
    const auto send = communicator->allocate(sent.size());
    const auto receive = communicator->allocate(sent.size());
    send->write(0, sent);
    communicator->run({.operation = &pairs,
                       .type = &type,
                       .send = send->data(),
                       .receive = receive->data(),
                       .chunk = count},
                      2);
    if (receive->read(0, sent.size()) != of_rank(1 - rank))
      findings.add("rank " + std::to_string(team.rank()) + " has not what its partner sent");
  });
  CHECK_THAT(findings.texts(), test::Equals(""));
}

TEST_CASE("a graph is replayed for the buffers that it was captured with") {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return;
  Findings findings;
  on_all_gpus(gpus, [&](Team& team, Device& device) {
    const auto communicator = nccl_backend(device, {.cuda_graph = true})->join(team, 0);
    const std::size_t count = 1000;
    const auto receive = communicator->allocate(count);
    // Both allocations come before the first call, because an allocation ends all graphs.
    const std::array sends{communicator->allocate(count), communicator->allocate(count)};
    for (const int number : {1, 2}) {
      Buffer& send = *sends[static_cast<std::size_t>(number - 1)];
      send.write(0, std::vector(count, std::byte(number)));
      communicator->run({.operation = &operation("send-receive-ring"),
                         .type = &element_type("fp8_e4m3", "--type"),
                         .send = send.data(),
                         .receive = receive->data(),
                         .chunk = count},
                        1);
      if (receive->read(0, count) != std::vector(count, std::byte(number)))
        findings.add("the message of buffer " + std::to_string(number) + " did not come");
    }
  });
  CHECK_THAT(findings.texts(), test::Equals(""));
}

TEST_CASE("a graph is not replayed for new buffers where old ones lay") {
  const int gpus = gpus_for({.device_api = true});
  if (gpus == 0) return;
  Findings findings;
  on_all_gpus(gpus, [&](Team& team, Device& device) {
    const auto backend = nccl_backend(device, {.cuda_graph = true, .device_api = true});
    const auto communicator = backend->join(team, 0);
    const std::size_t count = 1000;
    for (const int number : {1, 2}) {
      const auto send = communicator->allocate(count * sizeof(float));
      const auto receive = communicator->allocate(count * sizeof(float));
      test::put(*send, std::vector<float>(count, static_cast<float>(number)));
      communicator->run({.operation = &operation("all-reduce"),
                         .type = &element_type("fp32", "--type"),
                         .send = send->data(),
                         .receive = receive->data(),
                         .chunk = count},
                        1);
      if (test::taken<float>(*receive, count) !=
          std::vector<float>(count, static_cast<float>(number * gpus)))
        findings.add("a wrong sum of the buffers " + std::to_string(number));
    }
  });
  CHECK_THAT(findings.texts(), test::Equals(""));
}

TEST_CASE("elements are moved in packs from the first place where both addresses are aligned") {
  const auto split = [](std::size_t send, std::size_t receive, std::size_t elements) {
    const PackSplit of = pack_split(send, receive, elements, 2);
    return std::array{of.elements, of.head, of.packs};
  };
  CHECK(split(0, 0, 24) == std::array<std::size_t, 3>{24, 0, 3});
  CHECK(split(32, 16, 25) == std::array<std::size_t, 3>{25, 0, 3});
  CHECK(split(6, 22, 25) == std::array<std::size_t, 3>{25, 5, 2});
  CHECK(split(6, 6, 3) == std::array<std::size_t, 3>{3, 3, 0});
  CHECK(split(6, 0, 25) == std::array<std::size_t, 3>{25, 0, 0});
}

TEST_CASE("an address outside the windows is refused") {
  const std::byte byte{};
  CHECK_THROWS_WITH(SymmetricWindows().place_of(&byte), test::ContainsText("in no window"));
}

TEST_CASE("several groups work side by side, and a rank may have none", "[groups]") {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return;
  if (gpus < 4) {
    WARN("skipped: " << gpus << " GPUs make no groups");
    return;
  }
  for (const bool device_api : {false, true}) {
    if (device_api && gpus_for({.device_api = true}) == 0) continue;
    Findings findings;
    on_all_gpus(gpus, [&](Team& team, Device& device) {
      const auto backend = nccl_backend(device, {.device_api = device_api});
      // The last rank has no group. Even ranks form one group and odd ranks another.
      const bool has_group = team.rank() + 1 < team.size();
      const auto communicator =
          backend->join(team, has_group ? std::optional(team.rank() % 2) : std::nullopt);
      if ((communicator != nullptr) != has_group) findings.add("a wrong group");
      if (!communicator) return;
      if (communicator->member().rank != team.rank() / 2) findings.add("a wrong rank");
      check_trial(*communicator, operation("all-gather"), element_type("fp32", ""), false, 1e6,
                  "all-gather", findings);
    });
    CHECK_THAT(findings.texts(), test::Equals(""));
  }
}

TEST_CASE("gradients are summed between what is computed before and after") {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return;
  constexpr std::size_t count = 1 << 22;
  constexpr std::size_t bytes = count * sizeof(float);
  Findings findings;
  on_all_gpus(gpus, [&](Team& team, Device& device) {
    const auto processor = cuda_processor(device);
    const auto reducer = nccl_backend(device, {})->gradient_reducer(team, true);
    const auto before = processor->allocate(bytes);
    const auto gradients = processor->allocate(bytes);
    const auto after = processor->allocate(bytes);
    test::put(*before, std::vector<float>(count, static_cast<float>(team.rank() + 1)));
    const auto compute =
        processor->stream(MemoryPattern::Copy, {before.get(), gradients.get()}, bytes);
    const auto use = processor->stream(MemoryPattern::Copy, {gradients.get(), after.get()}, bytes);
    processor->timed([&] {
      compute->enqueue();
      reducer->start(reinterpret_cast<float*>(gradients->data()), count);
      reducer->poll();
      reducer->finish();
      use->enqueue();
    });
    const int sum = gpus * (gpus + 1) / 2;
    if (test::taken<float>(*after, count) != std::vector<float>(count, static_cast<float>(sum)))
      findings.add("rank " + std::to_string(team.rank()) + ": a wrong sum");
  });
  CHECK_THAT(findings.texts(), test::Equals(""));
}

TEST_CASE("NCCL names its version") { CHECK_THAT(nccl_library(), test::ContainsText("NCCL 2.")); }

}  // namespace
}  // namespace tofn::bench
