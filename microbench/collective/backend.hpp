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
  virtual std::string memory() const = 0;                ///< memory of the buffers: `host` or
                                                         ///< `device`
  virtual bool has_cuda_graph() const { return false; }  ///< replays calls as a graph
  virtual bool has_registration() const { return false; }
  virtual bool has_symmetric_memory() const { return false; }
  virtual bool has_device_api() const {
    return false;
  }  ///< communicates by kernels of this
     ///< program

  /// Reason why it cannot run the operation this way; absent if it can.
  virtual std::optional<std::string> objection(const Operation&, const ElementType&,
                                               bool in_place) const = 0;

  /// The communicator of this rank's group; null without a group. Collective over the team.
  virtual std::unique_ptr<LibraryCommunicator> join(Team&, std::optional<int> group) = 0;

  /// A reducer over the ranks that take part; null on the others. Collective over the team.
  virtual std::unique_ptr<GradientReducer> gradient_reducer(Team&, bool takes_part) = 0;

  /// Bytes that this rank's buffers may take: its share of memory common to several ranks.
  virtual double free_memory() const = 0;
  /// Largest number of elements that a call accepts.
  virtual std::size_t most_elements() const = 0;
};

}  // namespace tofn::bench
