#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "microbench/compute/adam.hpp"
#include "microbench/harness/buffer.hpp"
#include "microbench/harness/timed.hpp"

namespace tofn::bench {

/// c = op(a) op(b), or c += op(a) op(b), of row-major matrices: op(a) is m x k, op(b) is k x n.
struct Product {
  std::string_view type;  ///< one of gemm_types(), such as `bf16`: elements of a and b
  int m = 0;
  int n = 0;
  int k = 0;
  bool transposes_a = false;  ///< a is stored k x m
  bool transposes_b = false;  ///< b is stored n x k
  bool accumulates = false;
  bool has_fp32_result = false;  ///< for any operands, as for gradients of weights
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  std::byte* c = nullptr;  ///< elements of result_bytes(), or fp32

  double flops() const { return 2.0 * m * n * k; }
};

/// Memory traffic patterns, named as in STREAM (McCalpin, "Memory bandwidth and machine balance",
/// 1995). Buffers hold fp32.
enum class MemoryPattern { Copy, Triad };
inline constexpr std::array<std::pair<std::string_view, MemoryPattern>, 2> memory_patterns{
    {{"copy", MemoryPattern::Copy},      // b = a: two buffers
     {"triad", MemoryPattern::Triad}}};  // c = a + s * b: three buffers
inline constexpr float triad_scale = 3;  // the s of STREAM
/// Number of buffers that the pattern reads or writes, each once.
int buffers_of(MemoryPattern);

/// Ways to start an empty kernel.
enum class LaunchMode { Stream, Synchronised, Graph };
inline constexpr std::array<std::pair<std::string_view, LaunchMode>, 3> launch_modes{
    {{"stream", LaunchMode::Stream},              // one after the other, as in eager training
     {"synchronised", LaunchMode::Synchronised},  // waiting for each
     {"graph", LaunchMode::Graph}}};              // nodes of a replayed graph

/// Work that is prepared with its operands, and can be enqueued any number of times.
class PreparedKernel {
 public:
  virtual ~PreparedKernel() = default;
  /// Does the work, or enqueues it after earlier work and returns at once.
  virtual void enqueue() = 0;
  /// Kernels that one enqueue() starts, to compute times per kernel.
  virtual int launches() const { return 1; }
};

/// Computes on one rank: the cores of a CPU, or one GPU.
class Processor {
 public:
  virtual ~Processor() = default;
  virtual std::string device() const = 0;   ///< `cpu`, `cuda`
  virtual std::string model() const = 0;    ///< `NVIDIA H100 80GB HBM3`
  virtual std::string library() const = 0;  ///< of the GEMMs, with its version
  virtual std::vector<std::string> gemm_types() const = 0;
  /// Bytes of an element: of a and b, and of c.
  virtual int operand_bytes(std::string_view type) const = 0;
  virtual int result_bytes(std::string_view type) const = 0;
  virtual double free_memory() const = 0;  ///< bytes
  /// Allocates zeroed memory. Throws std::runtime_error that names the size if it does not fit.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  /// Fills a buffer with pseudo-random elements of the type in [-1, 1]. Zeros would use less power
  /// and therefore run faster than real data.
  virtual void randomize(Buffer&, std::string_view type) = 0;

  // Operands must outlive the kernel. std::runtime_error if the library has no such kernel.
  virtual std::unique_ptr<PreparedKernel> gemm(const Product&) = 0;
  /// A kernel that runs the pattern. `parts` are its buffers a, b (and c), each of at least
  /// `bytes`.
  virtual std::unique_ptr<PreparedKernel> stream(MemoryPattern, const std::vector<Buffer*>& parts,
                                                 std::size_t bytes) = 0;
  virtual std::unique_ptr<PreparedKernel> adam(const AdamUpdate&) = 0;
  /// An empty kernel; null on a processor without kernel launches (`cpu`).
  virtual std::unique_ptr<PreparedKernel> empty(LaunchMode) = 0;
  /// True if the host launches kernels, and replay() avoids that.
  virtual bool has_replays() const = 0;
  /// The work that `enqueue_all` enqueues, started at once (a CUDA graph), so that short kernels
  /// follow each other faster than the host can launch them. Each must have run before. Null
  /// without replays.
  virtual std::unique_ptr<PreparedKernel> replay(const std::function<void()>& enqueue_all) = 0;

  /// Seconds until the work that `enqueue_all` enqueues is done. Calls `poll` while it waits; an
  /// exception of `poll` ends the wait.
  virtual Elapsed timed(const std::function<void()>& enqueue_all,
                        const std::function<void()>& poll = {}) = 0;
};

}  // namespace tofn::bench
