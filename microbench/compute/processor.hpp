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

/// c = op(a) op(b), or c += it, of row-major matrices: op(a) is m x k, op(b) is k x n.
struct Product {
  std::string_view type;  ///< of gemm_types(): `bf16`; elements of a and b
  int m = 0;
  int n = 0;
  int k = 0;
  bool transposes_a = false;  ///< a is stored k x m
  bool transposes_b = false;  ///< b is stored n x k
  bool accumulates = false;
  bool has_fp32_result = false;  ///< whatever the operands, as gradients of weights are kept
  const std::byte* a = nullptr;
  const std::byte* b = nullptr;
  std::byte* c = nullptr;  ///< of result_bytes() an element, or fp32

  double flops() const { return 2.0 * m * n * k; }
};

/// What streams through memory, as STREAM names it (McCalpin, "Memory bandwidth and machine
/// balance", 1995). Buffers hold fp32.
enum class MemoryPattern { Copy, Triad };
inline constexpr std::array<std::pair<std::string_view, MemoryPattern>, 2> memory_patterns{
    {{"copy", MemoryPattern::Copy},      // b = a: two buffers
     {"triad", MemoryPattern::Triad}}};  // c = a + s * b: three buffers
inline constexpr float triad_scale = 3;  // s, as STREAM has it
/// Buffers that the pattern reads or writes, each once.
int buffers_of(MemoryPattern);

/// How an empty kernel is started.
enum class LaunchMode { Stream, Synchronised, Graph };
inline constexpr std::array<std::pair<std::string_view, LaunchMode>, 3> launch_modes{
    {{"stream", LaunchMode::Stream},              // one after the other, as training does eagerly
     {"synchronised", LaunchMode::Synchronised},  // each waited for
     {"graph", LaunchMode::Graph}}};              // nodes of a replayed graph

/// Work prepared with its operands, to be given to the processor any number of times.
class PreparedKernel {
 public:
  virtual ~PreparedKernel() = default;
  /// Does it, or puts it behind the work given before and returns at once.
  virtual void enqueue() = 0;
  /// Kernels that one enqueue() starts, for figures per kernel.
  virtual int launches() const { return 1; }
};

/// What computes on one rank: the cores of a CPU, or one GPU.
class Processor {
 public:
  virtual ~Processor() = default;
  virtual std::string device() const = 0;   ///< `cpu`, `cuda`
  virtual std::string model() const = 0;    ///< `NVIDIA H100 80GB HBM3`
  virtual std::string library() const = 0;  ///< of the GEMMs, with its version
  virtual std::vector<std::string> gemm_types() const = 0;
  /// Bytes of an element of a and b, and of c.
  virtual int operand_bytes(std::string_view type) const = 0;
  virtual int result_bytes(std::string_view type) const = 0;
  virtual double free_memory() const = 0;  ///< bytes
  /// Zeroed. Throws std::runtime_error naming the size where there is no room.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;
  /// Fills with pseudo-random elements of the type in [-1, 1]: zeros would use less power and so
  /// run faster than real data.
  virtual void randomize(Buffer&, std::string_view type) = 0;

  // Operands must outlive the kernel. std::runtime_error where the library has no such kernel.
  virtual std::unique_ptr<PreparedKernel> gemm(const Product&) = 0;
  /// `parts` are the buffers a, b (and c) of the pattern, each of at least `bytes`.
  virtual std::unique_ptr<PreparedKernel> stream(MemoryPattern, const std::vector<Buffer*>& parts,
                                                 std::size_t bytes) = 0;
  virtual std::unique_ptr<PreparedKernel> adam(const AdamUpdate&) = 0;
  /// Nothing on a processor that launches nothing (`cpu`); nullptr then.
  virtual std::unique_ptr<PreparedKernel> empty(LaunchMode) = 0;
  /// Whether kernels wait for the host to launch them, which replay() spares them.
  virtual bool has_replays() const = 0;
  /// What `enqueue_all` enqueues, to be started at once (a CUDA graph): short kernels follow each
  /// other faster than the host launches them. Each must have run before. nullptr without replays.
  virtual std::unique_ptr<PreparedKernel> replay(const std::function<void()>& enqueue_all) = 0;

  /// Seconds of what `enqueue_all` enqueues, until it is done. `poll` is called meanwhile, where it
  /// is not done once it is enqueued; what it throws ends the wait.
  virtual Elapsed timed(const std::function<void()>& enqueue_all,
                        const std::function<void()>& poll = {}) = 0;
};

}  // namespace tofn::bench
