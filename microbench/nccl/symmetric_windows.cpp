#include "microbench/nccl/symmetric_windows.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace tofn::bench {

void SymmetricWindows::add(ncclWindow_t window, const std::byte* start, std::size_t bytes) {
  spans_.push_back({.window = window, .start = start, .bytes = bytes});
}

void SymmetricWindows::remove(ncclWindow_t window) {
  std::erase_if(spans_, [&](const Span& span) { return span.window == window; });
}

WindowPlace SymmetricWindows::place_of(const void* address) const {
  const auto* const byte = static_cast<const std::byte*>(address);
  const auto found = std::find_if(spans_.begin(), spans_.end(), [&](const Span& span) {
    return span.start <= byte && byte < span.start + span.bytes;
  });
  if (found == spans_.end())
    throw std::logic_error(fmt::format("a buffer at {} lies in no window", address));
  return {.window = found->window, .offset = static_cast<std::size_t>(byte - found->start)};
}

}  // namespace tofn::bench
