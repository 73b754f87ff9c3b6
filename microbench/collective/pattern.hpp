#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "microbench/collective/operation.hpp"
#include "microbench/harness/element_type.hpp"

namespace tofn::bench {

/// Known contents of send buffers, and the results of an operation on them. Values are small whole
/// numbers whose sum over any number of ranks is exact in the element type, so that a result is
/// either right to the last bit or wrong. Values repeat after `period` elements, a prime that
/// aligns with no power of two, so that a block in the wrong place is found.
class Pattern {
 public:
  static constexpr std::size_t period = 1021;

  Pattern(const Operation&, const ElementType&, Member member);

  /// Bytes of `elements` elements that this rank sends, starting at element `first`.
  std::vector<std::byte> sent(std::size_t elements, std::size_t first = 0) const;

  /// The error in received bytes, starting at element `first`: `element 17 is 0x3f800000, not
  /// 0x40400000; 12 of 256 elements are wrong`; absent if all are right.
  std::optional<std::string> problem(const std::vector<std::byte>& received, std::size_t chunk,
                                     int root, std::size_t first = 0) const;

 private:
  std::uint32_t value(int rank, std::size_t index) const;

  const Operation& operation_;
  const ElementType& type_;
  Member member_;
  std::uint32_t largest_ = 1;          // of one rank
  std::size_t stride_ = 1;             // one of `stride` ranks contributes to an element
  std::vector<std::uint32_t> summed_;  // encoded sums over all ranks, for one period
};

}  // namespace tofn::bench
