#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "microbench/collective/operation.hpp"
#include "microbench/harness/element_type.hpp"

namespace tofn::bench {

/// Known contents of send buffers, and what an operation must make of them. Values are small whole
/// numbers whose sum over any number of ranks is exact in the element type, so that a result is
/// right to the last bit or wrong. Values repeat after `period` elements, a prime that no power of
/// two aligns with: a block in the wrong place shows.
class Pattern {
 public:
  static constexpr std::size_t period = 1021;

  Pattern(const Operation&, const ElementType&, Member member);

  /// Bytes of `elements` elements that this rank sends, from `first` on.
  std::vector<std::byte> sent(std::size_t elements, std::size_t first = 0) const;

  /// What is wrong with the bytes received from element `first` on: `element 17 is 0x3f800000, not
  /// 0x40400000; 12 of 256 elements are wrong`; absent where all is right.
  std::optional<std::string> problem(const std::vector<std::byte>& received, std::size_t chunk,
                                     int root, std::size_t first = 0) const;

 private:
  std::uint32_t value(int rank, std::size_t index) const;

  const Operation& operation_;
  const ElementType& type_;
  Member member_;
  std::uint32_t largest_ = 1;          // value of one rank
  std::size_t stride_ = 1;             // of `stride` ranks one contributes to an element
  std::vector<std::uint32_t> summed_;  // encoded sums over all ranks, one period
};

}  // namespace tofn::bench
