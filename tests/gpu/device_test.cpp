#include <thread>

#include <cuda_runtime.h>

#include "microbench/cuda/cuda_call.hpp"
#include "microbench/cuda/cuda_processor.hpp"
#include "microbench/cuda/device_buffer.hpp"
#include "microbench/cuda/nvml.hpp"
#include "microbench/harness/machine.hpp"
#include "tests/catch.hpp"
#include "tests/gpu/gpu.hpp"
#include "tests/refusal.hpp"

namespace tofn::bench {
namespace {

using test::ContainsText;

TEST_CASE("a machine without a GPU says so, with the driver's reason", "[no_gpu]") {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess) {
    WARN("skipped: there is a GPU here");
    return;
  }
  cudaGetLastError();
  const std::string expected = std::string("no CUDA device: ") + cudaGetErrorString(code);
  CHECK(test::refusal([] { device_count(); }) == expected);
  CHECK(test::refusal([] { Device(0, 1); }) == expected);
}

TEST_CASE("a call that fails names itself") {
  CHECK_NOTHROW(check_cuda(cudaSuccess, "cudaMalloc"));
  CHECK_THROWS_WITH(check_cuda(cudaErrorMemoryAllocation, "cudaMalloc"),
                    "cudaMalloc: out of memory");
}

TEST_CASE("a failure that was reported is not reported again by the next kernel") {
  if (test::gpus_or_skip() == 0) return;
  CHECK_THROWS_WITH(check_cuda(cudaSetDevice(-1), "cudaSetDevice"),
                    "cudaSetDevice: invalid device ordinal");
  CHECK(cudaGetLastError() == cudaSuccess);
}

TEST_CASE("nothing is watched where there is no such GPU") {
  CHECK(nvml_monitor("ffff:ff:1f.0") == nullptr);
}

TEST_CASE("more ranks than GPUs are refused with both numbers") {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return;
  const std::string text = test::refusal([&] { Device(0, gpus + 1); });
  CHECK_THAT(text, ContainsText("host " + host_name() + ": " + std::to_string(gpus + 1) +
                                " ranks for " + std::to_string(gpus) + " GPU"));
}

TEST_CASE("a buffer keeps what is written to it") {
  if (test::gpus_or_skip() == 0) return;
  const Device device(0, 1);
  DeviceBuffer buffer(1000);
  CHECK(buffer.read(0, 1000) == std::vector<std::byte>(1000));
  const std::vector<std::byte> bytes(10, std::byte{7});
  buffer.write(990, bytes);
  CHECK(buffer.read(990, 10) == bytes);
  CHECK(buffer.read(980, 10) == std::vector<std::byte>(10));
}

TEST_CASE("a buffer that does not fit names its size and what is free") {
  if (test::gpus_or_skip() == 0) return;
  const Device device(0, 1);
  CHECK_THROWS_WITH(DeviceBuffer(std::size_t{1} << 50),
                    ContainsText("cudaMalloc: out of memory: 1.13 PB asked for, "));
}

TEST_CASE("kernels are timed from a thread beside the rank's own") {
  const int gpus = test::gpus_or_skip();
  if (gpus == 0) return;
  Device device(gpus - 1, gpus);  // not the first, a new thread's default
  const auto processor = cuda_processor(device);
  const std::vector<float> values(100, 3);
  const std::size_t bytes = values.size() * sizeof(float);
  const auto from = processor->allocate(bytes);
  const auto to = processor->allocate(bytes);
  test::put(*from, values);
  const auto copy = processor->stream(MemoryPattern::Copy, {from.get(), to.get()}, bytes);
  std::string problem;
  std::thread([&] {
    try {
      processor->timed([&] { copy->enqueue(); });
    } catch (const std::exception& error) {
      problem = error.what();
    }
  }).join();
  CHECK_THAT(problem, test::Equals(""));
  CHECK(test::taken<float>(*to, values.size()) == values);
}

TEST_CASE("a GPU that is watched shows its clocks, power and temperature") {
  if (test::gpus_or_skip() == 0) return;
  const Device device(0, 1);
  const auto monitor = nvml_monitor(device.bus_id());
  if (!monitor) {
    WARN("skipped: this machine has no NVML, or its GPU does not answer it");
    return;
  }
  CHECK(monitor->take().empty());
  monitor->start();
  monitor->stop();
  const auto figures = monitor->take();
  REQUIRE(figures.size() == 7);
  for (const auto& [name, value] : figures) {
    INFO(name << " " << value);
    if (name.starts_with("is_"))
      CHECK((value == 0 || value == 1));
    else
      CHECK((value > 10 && value < 20000));
  }
  CHECK(monitor->take().empty());
}

TEST_CASE("of a clock that moves, the lowest and the highest are kept") {
  if (test::gpus_or_skip() == 0) return;
  const Device device(0, 1);
  const auto monitor = nvml_monitor(device.bus_id());
  if (!monitor) {
    WARN("skipped: this machine has no NVML, or its GPU does not answer it");
    return;
  }
  std::map<std::string, double> seen;
  for (int visit = 0; visit < 10; ++visit) {  // each visit looks at least once
    monitor->start();
    monitor->stop();
  }
  for (const auto& [name, value] : monitor->take()) seen[name] = value;
  CHECK(seen["sm_clock_mhz_lowest"] <= seen["sm_clock_mhz_highest"]);
  if (!gpu_stand_in()) return;
  CHECK(seen["sm_clock_mhz_lowest"] == 1755);
  CHECK(seen["sm_clock_mhz_highest"] == 1980);
}

}  // namespace
}  // namespace tofn::bench
