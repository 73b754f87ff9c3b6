#pragma once

#include <functional>
#include <memory>
#include <string>

#include "microbench/collective/library_communicator.hpp"
#include "microbench/collective/pattern.hpp"

namespace tofn::bench {

/// Elements of the buffers of one rank for a size in nccl-tests' sense.
struct Extent {
  std::size_t chunk = 0;    ///< elements of a chunk; of the whole where there are no chunks
  std::size_t send = 0;     ///< elements that a rank sends
  std::size_t receive = 0;  ///< and receives
  std::size_t total = 0;    ///< the larger of them
};

/// The extent whose size comes closest below `bytes`; at least one element a chunk.
Extent extent_of(const Operation&, const ElementType&, int ranks, double bytes);

/// Bytes of all buffers of one rank together.
double bytes_needed(const ElementType&, const Extent&, bool in_place);

/// The buffers that a table of sizes shares: those of its largest.
struct TrialBuffers {
  std::unique_ptr<Buffer> send;
  std::unique_ptr<Buffer> receive;  ///< absent in place
};

/// One operation at one size on this rank, ready to be timed and checked.
class Trial : public Timed {
 public:
  Trial(LibraryCommunicator&, TrialBuffers&, const Operation&, const ElementType&, const Extent&);
  Elapsed run(int calls) override;

  /// Fills the buffers; one call after that makes a known result. `after_slab` is called again and
  /// again meanwhile, here and below: gigabytes take the host minutes.
  void fill(const std::function<void()>& after_slab = [] {});
  /// Writes what the send buffer held at the first such call.
  void rewrite();
  /// Throws std::runtime_error with what is wrong in the result of the calls since fill().
  void check_result(const std::function<void()>& after_slab = [] {}) const;
  /// Whether the timed calls leave a result that can be checked: not where they overwrite what
  /// they read.
  bool keeps_input() const;

 private:
  std::size_t send_offset() const;     // bytes
  std::size_t receive_offset() const;  // bytes

  LibraryCommunicator& communicator_;
  TrialBuffers& buffers_;
  const Operation& operation_;
  const ElementType& type_;
  Extent extent_;
  Pattern pattern_;
  std::vector<std::byte> written_;
};

}  // namespace tofn::bench
