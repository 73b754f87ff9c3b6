#pragma once

#include <algorithm>
#include <cstddef>

namespace tofn::bench {

constexpr std::size_t pack_bytes = 16;  ///< bytes of a thread's widest load

/// Division of elements into packs, which threads move whole, and single elements before and after
/// them.
struct PackSplit {
  std::size_t elements = 0;
  std::size_t head = 0;   ///< elements before the first pack
  std::size_t packs = 0;  ///< 0 if the addresses are never aligned together
};

/// Splits elements. The offsets, multiples of an element, are bytes in windows, which are aligned
/// to more than a pack.
inline PackSplit pack_split(std::size_t send_offset, std::size_t receive_offset,
                            std::size_t elements, std::size_t element_bytes) {
  const std::size_t behind = send_offset % pack_bytes;  // bytes beyond the last aligned place
  if (behind != receive_offset % pack_bytes) return {.elements = elements};
  const std::size_t to_next = (pack_bytes - behind) % pack_bytes / element_bytes;
  const std::size_t head = std::min(to_next, elements);
  const std::size_t packs = (elements - head) * element_bytes / pack_bytes;
  return {.elements = elements, .head = head, .packs = packs};
}

}  // namespace tofn::bench
