#pragma once

#include <memory>
#include <optional>
#include <string>

#include "microbench/collective/gradient_reducer.hpp"
#include "microbench/collective/library_communicator.hpp"
#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// A library of collectives on one kind of memory.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;                  ///< `mpi`
  virtual std::string library() const = 0;               ///< with its version
  virtual std::string memory() const = 0;                ///< `host` or `device`
  virtual bool has_cuda_graph() const { return false; }  ///< calls are replayed as a graph
  virtual bool has_registration() const { return false; }
  virtual bool has_symmetric_memory() const { return false; }
  virtual bool has_device_api() const { return false; }  ///< kernels of this program communicate

  /// Why it cannot run the operation so; absent where it can.
  virtual std::optional<std::string> objection(const Operation&, const ElementType&,
                                               bool in_place) const = 0;

  /// Collective over the team: the communicator of this rank's group; none without a group.
  virtual std::unique_ptr<LibraryCommunicator> join(Team&, std::optional<int> group) = 0;

  /// Collective over the team: a reducer over the ranks that take part; none on the others.
  virtual std::unique_ptr<GradientReducer> gradient_reducer(Team&, bool takes_part) = 0;

  /// Bytes that this rank's buffers may take: its part of what it shares with others.
  virtual double free_memory() const = 0;
  /// The largest count of elements that a call takes.
  virtual std::size_t most_elements() const = 0;
};

}  // namespace tofn::bench
