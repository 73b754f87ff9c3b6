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
  void* receive = nullptr;  ///< overlaps `send` as MPI and NCCL ask where the call is in place
  std::size_t chunk = 0;    ///< elements of a chunk; of the whole where there are no chunks
  int root = 0;             ///< of the first call; the next one has the next rank
};

/// The ranks of one group, joined by a library of collectives.
class LibraryCommunicator {
 public:
  virtual ~LibraryCommunicator() = default;
  virtual Member member() const = 0;

  /// Memory that the library communicates from, registered with it where that is asked for.
  virtual std::unique_ptr<Buffer> allocate(std::size_t bytes) = 0;

  /// Calls back to back; ends when their work is done. Throws std::runtime_error naming the
  /// library's call that failed.
  virtual Elapsed run(const Call& first, int calls) = 0;
};

}  // namespace tofn::bench
