#include "microbench/cpu/cpu_processor.hpp"

#include <cassert>
#include <stdexcept>

#include <cblas.h>
#include <fmt/format.h>

#include "microbench/cpu/cpu_kernels.hpp"
#include "microbench/harness/host_buffer.hpp"
#include "microbench/harness/machine.hpp"
#include "sim/core/random.hpp"
#include "sim/core/words.hpp"

namespace tofn::bench {
namespace {

const float* floats(const std::byte* bytes) { return reinterpret_cast<const float*>(bytes); }
float* floats(std::byte* bytes) { return reinterpret_cast<float*>(bytes); }

class Sgemm : public PreparedKernel {
 public:
  explicit Sgemm(const Product& product) : product_(product) {}
  void enqueue() override {
    const Product& p = product_;
    cblas_sgemm(CblasRowMajor, p.transposes_a ? CblasTrans : CblasNoTrans,
                p.transposes_b ? CblasTrans : CblasNoTrans, p.m, p.n, p.k, 1.0F, floats(p.a),
                p.transposes_a ? p.m : p.k, floats(p.b), p.transposes_b ? p.k : p.n,
                p.accumulates ? 1.0F : 0.0F, floats(p.c), p.n);
  }

 private:
  Product product_;
};

class Stream : public PreparedKernel {
 public:
  Stream(MemoryPattern pattern, const std::vector<Buffer*>& parts, std::size_t bytes)
      : pattern_(pattern), count_(bytes / sizeof(float)) {
    for (Buffer* part : parts) parts_.push_back(floats(part->data()));
  }
  void enqueue() override {
    if (pattern_ == MemoryPattern::Copy)
      copy(parts_[0], parts_[1], count_);
    else
      triad(parts_[0], parts_[1], parts_[2], count_);
  }

 private:
  MemoryPattern pattern_;
  std::vector<float*> parts_;
  std::size_t count_;
};

class Adam : public PreparedKernel {
 public:
  explicit Adam(const AdamUpdate& update) : update_(update) {}
  void enqueue() override { adam(update_); }

 private:
  AdamUpdate update_;
};

class CpuProcessor : public Processor {
 public:
  explicit CpuProcessor(int ranks_on_host) : ranks_on_host_(ranks_on_host) {}
  std::string device() const override { return "cpu"; }
  std::string model() const override { return cpu_model(); }
  std::string library() const override { return blas_library(); }
  std::vector<std::string> gemm_types() const override { return {"fp32"}; }
  int operand_bytes(std::string_view) const override { return sizeof(float); }
  int result_bytes(std::string_view) const override { return sizeof(float); }
  double free_memory() const override { return available_memory() / ranks_on_host_; }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<HostBuffer>(bytes);
  }

  void randomize(Buffer& buffer, std::string_view) override {
    Random random(1);
    float* values = floats(buffer.data());
    for (std::size_t i = 0; i < buffer.size() / sizeof(float); ++i)
      values[i] = static_cast<float>(2 * random.uniform() - 1);
  }

  std::unique_ptr<PreparedKernel> gemm(const Product& product) override {
    if (product.type != "fp32")
      throw std::runtime_error("OpenBLAS multiplies fp32 here, not " + std::string(product.type));
    return std::make_unique<Sgemm>(product);
  }
  std::unique_ptr<PreparedKernel> stream(MemoryPattern pattern, const std::vector<Buffer*>& parts,
                                         std::size_t bytes) override {
    assert(static_cast<int>(parts.size()) == buffers_of(pattern));
    return std::make_unique<Stream>(pattern, parts, bytes);
  }
  std::unique_ptr<PreparedKernel> adam(const AdamUpdate& update) override {
    return std::make_unique<Adam>(update);
  }
  std::unique_ptr<PreparedKernel> empty(LaunchMode) override { return nullptr; }
  bool has_replays() const override { return false; }
  std::unique_ptr<PreparedKernel> replay(const std::function<void()>&) override { return nullptr; }
  Elapsed timed(const std::function<void()>& enqueue_all,
                const std::function<void()>& /*poll*/) override {
    return {.host = host_seconds_of(enqueue_all), .device = {}};
  }

 private:
  int ranks_on_host_;
};

}  // namespace

std::unique_ptr<Processor> cpu_processor(int ranks_on_host) {
  return std::make_unique<CpuProcessor>(ranks_on_host);
}

std::string blas_library() {
  const std::string config = openblas_get_config();  // such as `OpenBLAS 0.3.21 NO_AFFINITY ... Zen
                                                     // ...`
  const auto version_end = config.find(' ', config.find(' ') + 1);
  return fmt::format("{}, {}, {}", config.substr(0, version_end), openblas_get_corename(),
                     counted(openblas_get_num_threads(), "thread"));
}

}  // namespace tofn::bench
