#pragma once

#include <algorithm>
#include <cstddef>

namespace tofn::bench {

constexpr std::size_t pack_bytes = 16;  ///< of the widest load of a thread

/// Elements as threads move them: singly before the first pack and behind the last, else in packs.
struct PackSplit {
  std::size_t elements = 0;
  std::size_t head = 0;   ///< elements before the first pack
  std::size_t packs = 0;  ///< none where no place has both addresses aligned
};

/// The offsets, of elements, are bytes in windows, which are aligned to more than a pack.
inline PackSplit pack_split(std::size_t send_offset, std::size_t receive_offset,
                            std::size_t elements, std::size_t element_bytes) {
  const std::size_t behind = send_offset % pack_bytes;  // the last place that is aligned
  if (behind != receive_offset % pack_bytes) return {.elements = elements};
  const std::size_t to_next = (pack_bytes - behind) % pack_bytes / element_bytes;
  const std::size_t head = std::min(to_next, elements);
  const std::size_t packs = (elements - head) * element_bytes / pack_bytes;
  return {.elements = elements, .head = head, .packs = packs};
}

}  // namespace tofn::bench
