#pragma once

#include <functional>
#include <memory>
#include <string>

#include "microbench/collective/library_communicator.hpp"
#include "microbench/collective/pattern.hpp"

namespace tofn::bench {

/// Numbers of elements in one rank's buffers, for a size as nccl-tests defines it.
struct Extent {
  std::size_t chunk = 0;    ///< elements of a chunk; of the whole without chunks
  std::size_t send = 0;     ///< elements that a rank sends
  std::size_t receive = 0;  ///< elements that it receives
  std::size_t total = 0;    ///< the larger of both
};

/// The extent with the largest size up to `bytes`; at least one element per chunk.
Extent extent_of(const Operation&, const ElementType&, int ranks, double bytes);

/// Bytes of all buffers of one rank.
double bytes_needed(const ElementType&, const Extent&, bool in_place);

/// Buffers for the largest of a table's sizes, which all of them share.
struct TrialBuffers {
  std::unique_ptr<Buffer> send;
  std::unique_ptr<Buffer> receive;  ///< absent in place
};

/// One operation at one size on this rank, ready to be timed and checked.
class Trial : public Timed {
 public:
  Trial(LibraryCommunicator&, TrialBuffers&, const Operation&, const ElementType&, const Extent&);
  Elapsed run(int calls) override;

  /// Fills the buffers; one call after that makes a known result. Both functions call `after_slab`
  /// repeatedly, because gigabytes take the host minutes.
  void fill(const std::function<void()>& after_slab = [] {});
  /// Restores the send buffer's contents of the first call after fill().
  void rewrite();
  /// Throws std::runtime_error if the result of the calls since fill() is wrong.
  void check_result(const std::function<void()>& after_slab = [] {}) const;
  /// True if the timed calls leave a result that can be checked, because they do not overwrite
  /// their input.
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
