#include "microbench/cuda/cuda_processor.hpp"

#include <cassert>
#include <stdexcept>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "microbench/cuda/cuda_call.hpp"
#include "microbench/cuda/device_buffer.hpp"
#include "microbench/cuda/gemm.hpp"
#include "microbench/cuda/kernels.hpp"

namespace tofn::bench {
namespace {

/// Empty kernels in a graph: enough to make the graph's own start negligible.
constexpr int graph_nodes = 100;

class Launch : public PreparedKernel {
 public:
  explicit Launch(std::function<void()> enqueue, int launches = 1)
      : enqueue_(std::move(enqueue)), launches_(launches) {}
  void enqueue() override { enqueue_(); }
  int launches() const override { return launches_; }

 private:
  std::function<void()> enqueue_;
  int launches_;
};

float* floats(Buffer* buffer) { return reinterpret_cast<float*>(buffer->data()); }

class CudaProcessor : public Processor {
 public:
  explicit CudaProcessor(Device& device) : device_(device), gemms_(device.stream()) {}
  std::string device() const override { return "cuda"; }
  std::string model() const override { return device_.model(); }
  std::string library() const override { return gemm_library(); }

  std::vector<std::string> gemm_types() const override {
    std::vector<std::string> names;
    for (const GemmType& type : bench::gemm_types())
      if (device_.capability() >= type.least_capability) names.emplace_back(type.name);
    return names;
  }
  int operand_bytes(std::string_view type) const override { return gemm_type(type).operand_bytes; }
  int result_bytes(std::string_view type) const override { return gemm_type(type).result_bytes; }
  double free_memory() const override { return free_device_memory(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<DeviceBuffer>(bytes);
  }
  void randomize(Buffer& buffer, std::string_view type) override {
    enqueue_random(buffer.data(), buffer.size(), type, ++seed_, device_.stream());
  }

  std::unique_ptr<PreparedKernel> gemm(const Product& product) override {
    const int least = gemm_type(product.type).least_capability;
    if (device_.capability() < least)
      throw std::runtime_error(fmt::format("{} needs compute capability {}; the {} has {}",
                                           product.type, capability_text(least), model(),
                                           capability_text(device_.capability())));
    return gemms_.kernel(product);
  }

  std::unique_ptr<PreparedKernel> stream(MemoryPattern pattern, const std::vector<Buffer*>& parts,
                                         std::size_t bytes) override {
    assert(parts.size() >= (pattern == MemoryPattern::Copy ? 2U : 3U));
    const std::size_t count = bytes / sizeof(float);
    cudaStream_t stream = device_.stream();
    if (pattern == MemoryPattern::Copy)
      return std::make_unique<Launch>(
          [=] { enqueue_copy(floats(parts[0]), floats(parts[1]), count, stream); });
    return std::make_unique<Launch>([=] {
      enqueue_triad(floats(parts[0]), floats(parts[1]), triad_scale, floats(parts[2]), count,
                    stream);
    });
  }

  std::unique_ptr<PreparedKernel> adam(const AdamUpdate& update) override {
    return std::make_unique<Launch>(
        [update, stream = device_.stream()] { enqueue_adam(update, stream); });
  }

  std::unique_ptr<PreparedKernel> empty(LaunchMode mode) override {
    cudaStream_t stream = device_.stream();
    switch (mode) {
      case LaunchMode::Stream:
        return std::make_unique<Launch>([stream] { enqueue_empty(stream); });
      case LaunchMode::Synchronised:
        return std::make_unique<Launch>([stream] {
          enqueue_empty(stream);
          check_cuda(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
        });
      case LaunchMode::Graph:
        break;
    }
    enqueue_empty(stream);  // loads the kernel, which a capture may not allow
    return graph_of(
        [stream] {
          for (int i = 0; i < graph_nodes; ++i) enqueue_empty(stream);
        },
        graph_nodes);
  }

  bool has_replays() const override { return true; }
  std::unique_ptr<PreparedKernel> replay(const std::function<void()>& enqueue_all) override {
    device_.use();
    return graph_of(enqueue_all, 1);
  }

  Elapsed timed(const std::function<void()>& enqueue_all,
                const std::function<void()>& poll) override {
    device_.use();  // the caller may be another thread of the rank
    const double start = host_seconds();
    begin_.record(device_.stream());
    enqueue_all();
    end_.record(device_.stream());
    while (poll && !end_.is_reached()) {
      poll();
      std::this_thread::yield();  // NCCL's own threads may share this core
    }
    end_.wait();
    return {.host = host_seconds() - start, .device = seconds_between(begin_, end_)};
  }

 private:
  std::unique_ptr<PreparedKernel> graph_of(const std::function<void()>& enqueue_all, int launches) {
    const auto graph = std::make_shared<Graph>(device_.stream(), enqueue_all);
    return std::make_unique<Launch>([graph, stream = device_.stream()] { graph->launch(stream); },
                                    launches);
  }

  Device& device_;
  GemmMaker gemms_;
  Event begin_;
  Event end_;
  std::uint64_t seed_ = 0;
};

}  // namespace

std::unique_ptr<Processor> cuda_processor(Device& device) {
  return std::make_unique<CudaProcessor>(device);
}

}  // namespace tofn::bench
