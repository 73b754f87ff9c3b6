// Tests that an error on a GPU is an error on the stand-in, every time.
#include <cuda_runtime.h>
#include <nccl.h>
#include <sys/wait.h>

#include "microbench/cuda/device_buffer.hpp"
#include "microbench/cuda/kernels.hpp"
#include "microbench/nccl/device_kernels.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/gpu.hpp"

namespace tofn::bench {
namespace {

constexpr std::size_t count = 1000;

float* floats(DeviceBuffer& buffer) { return reinterpret_cast<float*>(buffer.data()); }

/// Runs `work` in its own process, because an error of a GPU is permanent. Returns its exit code,
/// or 128 plus the signal that ended it.
template <class Work>
int code_of(Work work) {
  const pid_t process = ::fork();
  if (process == 0) {
    ::alarm(60);
    std::freopen("/dev/null", "w", stderr);
    int code = 99;
    try {
      code = work();
    } catch (const std::exception&) {
    }
    std::_Exit(code);
  }
  int status = 0;
  ::waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

TEST_CASE("a copy does not take another device's memory, nor the host's", "[forks]") {
  CHECK(code_of([] {
          const Device first(0, 2);
          DeviceBuffer mine(count);
          const Device second(1, 2);
          std::vector<std::byte> host(count);
          const bool is_refused = cudaMemcpy(mine.data(), host.data(), count,
                                             cudaMemcpyHostToDevice) == cudaErrorInvalidValue &&
                                  cudaMemcpy(host.data(), host.data(), count,
                                             cudaMemcpyDeviceToHost) == cudaErrorInvalidValue;
          return is_refused ? 0 : 1;
        }) == 0);
}

TEST_CASE("a kernel with memory of the host, of another device, or behind the end fails later",
          "[forks]") {
  for (const int wrong : {0, 1, 2})
    CHECK(code_of([wrong] {
            const Device first(0, 2);
            DeviceBuffer elsewhere(count * sizeof(float));
            const Device second(1, 2);
            DeviceBuffer mine(count * sizeof(float));
            std::vector<float> host(count);
            const float* from = wrong == 0 ? host.data() : floats(wrong == 1 ? elsewhere : mine);
            const std::size_t elements = wrong == 2 ? count + 1 : count;
            enqueue_copy(from, floats(mine), elements, second.stream());  // succeeds
            const cudaError_t first_error = cudaStreamSynchronize(second.stream());
            const bool stays = cudaGetLastError() == cudaErrorIllegalAddress &&
                               cudaDeviceSynchronize() == cudaErrorIllegalAddress;
            return first_error == cudaErrorIllegalAddress && stays ? 0 : 1;
          }) == 0);
}

TEST_CASE("the host cannot read a device's memory", "[forks]") {
  CHECK(code_of([] {
          const Device device(0, 1);
          DeviceBuffer buffer(count);
          return std::to_integer<int>(*buffer.data());
        }) == 128 + SIGSEGV);
}

TEST_CASE("what is read without waiting is old") {
  const Device device(0, 1);
  DeviceBuffer from(count * sizeof(float));
  DeviceBuffer to(count * sizeof(float));
  test::put(from, std::vector<float>(count, 1));
  enqueue_copy(floats(from), floats(to), count, device.stream());
  std::vector<float> seen(count, 7);
  // The copy is not ordered with the stream, which does not wait for the default stream.
  CHECK(cudaMemcpy(seen.data(), to.data(), to.size(), cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(seen == std::vector<float>(count, 0));
  CHECK(test::taken<float>(to, count) == std::vector<float>(count, 1));
}

TEST_CASE("streams run in the wrong order where no event orders them") {
  for (const bool is_ordered : {false, true}) {
    const Device device(0, 1);
    const CudaStream other;
    const Event event;
    DeviceBuffer first(count * sizeof(float));
    DeviceBuffer second(count * sizeof(float));
    DeviceBuffer third(count * sizeof(float));
    test::put(first, std::vector<float>(count, 1));
    enqueue_copy(floats(first), floats(second), count, device.stream());
    if (is_ordered) {
      event.record(device.stream());
      REQUIRE(cudaStreamWaitEvent(other.get(), event.get(), 0) == cudaSuccess);
    }
    enqueue_copy(floats(second), floats(third), count, other.get());
    const auto seen = test::taken<float>(third, count);
    CHECK(seen == std::vector<float>(count, is_ordered ? 1 : 0));
  }
}

TEST_CASE("a graph runs when it is launched, and a call that waits breaks its capture") {
  const Device device(0, 1);
  DeviceBuffer from(count * sizeof(float));
  DeviceBuffer to(count * sizeof(float));
  test::put(from, std::vector<float>(count, 1));
  const Graph graph(device.stream(),
                    [&] { enqueue_copy(floats(from), floats(to), count, device.stream()); });
  CHECK(test::taken<float>(to, count) == std::vector<float>(count, 0));
  graph.launch(device.stream());
  CHECK(test::taken<float>(to, count) == std::vector<float>(count, 1));
  CHECK_THROWS_WITH(Graph(device.stream(), [] { cudaDeviceSynchronize(); }),
                    test::ContainsText("cudaStreamEndCapture: operation failed due to a previous"));
}

#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 28, 0)
/// Mistakes that a kernel over the device API can make.
enum class Wrong { Nothing, Offset, Alignment, Blocks, Destroyed, Deregistered };

TEST_CASE("a kernel over the device API fails outside its window, its barriers and their lives",
          "[forks]") {
  const auto run = [](Wrong wrong) {
    return code_of([wrong] {
      const Device device(0, 1);
      ncclUniqueId id;
      ncclComm_t comm = nullptr;
      ncclGetUniqueId(&id);
      ncclCommInitRank(&comm, 1, id, 0);
      void* memory = nullptr;
      ncclWindow_t window = nullptr;
      constexpr std::size_t bytes = 1 << 20;
      ncclMemAlloc(&memory, bytes);
      ncclCommWindowRegister(comm, memory, bytes, &window, NCCL_WIN_COLL_SYMMETRIC);
      ncclDevCommRequirements request{};
      request.lsaBarrierCount = wrong == Wrong::Blocks ? 1 : most_blocks;
      ncclDevComm made{};
      ncclDevCommCreate(comm, &request, &made);
      if (wrong == Wrong::Destroyed) ncclDevCommDestroy(comm, &made);
      if (wrong == Wrong::Deregistered) ncclCommWindowDeregister(comm, window);
      const std::size_t offset = wrong == Wrong::Offset ? 16 : wrong == Wrong::Alignment ? 2 : 0;
      const std::size_t elements = bytes / sizeof(float) - (wrong == Wrong::Alignment ? 1 : 0);
      enqueue_all_reduce({.comm = made,
                          .send = {.window = window, .offset = offset},
                          .receive = {.window = window},
                          .chunk = elements,
                          .type = ncclFloat32,
                          .stream = device.stream()});
      return static_cast<int>(cudaStreamSynchronize(device.stream()) == cudaErrorIllegalAddress);
    });
  };
  CHECK(run(Wrong::Nothing) == 0);
  for (const Wrong wrong :
       {Wrong::Offset, Wrong::Alignment, Wrong::Blocks, Wrong::Destroyed, Wrong::Deregistered}) {
    INFO(static_cast<int>(wrong));
    CHECK(run(wrong) == 1);
  }
}
#endif

TEST_CASE("what is not emulated ends the program", "[forks]") {
  CHECK(code_of([] {
          void* memory = nullptr;
          return static_cast<int>(cudaMallocHost(&memory, 1));
        }) == 70);
  CHECK(code_of([] {
          const Device device(0, 1);
          ncclUniqueId id;
          ncclComm_t comm = nullptr;
          ncclGetUniqueId(&id);
          ncclCommInitRank(&comm, 1, id, 0);
          DeviceBuffer buffer(4);
          return static_cast<int>(ncclAllReduce(buffer.data(), buffer.data(), 1, ncclFloat32,
                                                ncclMax, comm, device.stream()));
        }) == 70);
}

}  // namespace
}  // namespace tofn::bench
