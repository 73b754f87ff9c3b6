#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "microbench/collective/operation.hpp"
#include "microbench/harness/buffer.hpp"
#include "microbench/harness/element_type.hpp"
#include "microbench/harness/timed.hpp"

namespace tofn::bench {

/// One collective call on this rank.
struct Call {
  const Operation* operation = nullptr;
  const ElementType* type = nullptr;
  const void* send = nullptr;
  void* receive = nullptr;  ///< overlaps `send` in the way of MPI and NCCL if the call is in place
  std::size_t chunk = 0;    ///< elements of a chunk; of the whole without chunks
  int root = 0;             ///< of the first call; each next call has the next rank
};

/// The ranks of one group, joined by a library of collectives.
class LibraryCommunicator {
 public:
  virtual ~LibraryCommunicator() = default;
  virtual Member member() const = 0;

  /// Memory for communication, registered with the library if that is requested.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;

  /// Runs `calls` calls back to back and returns when their work is done. Throws std::runtime_error
  /// that names the failed call of the library.
  virtual Elapsed run(const Call& first, int calls) = 0;
};

}  // namespace tofn::bench
