#include "microbench/collective/pattern.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>

#include <fmt/format.h>

namespace tofn::bench {
namespace {

/// Mixes rank and index so that neighbours differ (the finaliser of splitmix64, Steele et al.,
/// "Fast splittable pseudorandom number generators", 2014).
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

std::uint32_t load(const std::byte* from, int bytes) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, from, static_cast<std::size_t>(bytes));  // little-endian, as on every GPU host
  return bits;
}

}  // namespace

Pattern::Pattern(const Operation& operation, const ElementType& type, Member member)
    : operation_(operation), type_(type), member_(member) {
  const auto ranks = static_cast<std::uint32_t>(member.size);
  const std::uint32_t exact = type.exact_up_to();
  largest_ = operation.reduces && exact <= 16 ? 2 : 7;
  if (!operation.reduces) return;
  // One of every `stride` ranks contributes, so that sums stay within the exact range.
  const std::uint32_t contributors = std::max(exact / largest_, 1U);
  stride_ = std::max<std::size_t>((ranks + contributors - 1) / contributors, 1);
  const std::size_t repeat = period * stride_;
  for (std::size_t index = 0; index < repeat; ++index) {
    std::uint32_t sum = 0;
    for (std::size_t rank = (stride_ - index % stride_) % stride_; rank < ranks; rank += stride_)
      sum += value(static_cast<int>(rank), index);  // the other ranks contribute 0
    assert(sum <= exact);
    summed_.push_back(encoded(type, sum));
  }
}

std::uint32_t Pattern::value(int rank, std::size_t index) const {
  if ((static_cast<std::size_t>(rank) + index) % stride_ != 0) return 0;
  const auto place = static_cast<std::uint64_t>(index % period);
  const auto seed = (static_cast<std::uint64_t>(rank) << 32) + place;
  return 1 + static_cast<std::uint32_t>(mixed(seed + 1) % largest_);
}

std::vector<std::byte> Pattern::sent(std::size_t elements, std::size_t first) const {
  const auto size = static_cast<std::size_t>(type_.bytes);
  const std::size_t repeat = std::min(period * stride_, elements);
  std::vector<std::byte> bytes(elements * size);
  for (std::size_t index = 0; index < repeat; ++index) {
    const std::uint32_t bits = encoded(type_, value(member_.rank, first + index));
    std::memcpy(&bytes[index * size], &bits, size);
  }
  for (std::size_t filled = repeat * size; filled < bytes.size();) {
    const std::size_t more = std::min(filled, bytes.size() - filled);
    std::memcpy(&bytes[filled], bytes.data(), more);
    filled += more;
  }
  return bytes;
}

std::optional<std::string> Pattern::problem(const std::vector<std::byte>& received,
                                            std::size_t chunk, int root, std::size_t first) const {
  const auto size = static_cast<std::size_t>(type_.bytes);
  const std::size_t elements = received.size() / size;
  std::size_t wrong = 0;
  std::string first_wrong;
  for (std::size_t index = 0; index < elements; ++index) {
    const Origin origin = operation_.origin(member_, first + index, chunk, root);
    const std::uint32_t expected = origin.rank ? encoded(type_, value(*origin.rank, origin.index))
                                               : summed_[origin.index % summed_.size()];
    const std::uint32_t found = load(&received[index * size], type_.bytes);
    if (found == expected) continue;
    if (++wrong == 1)
      first_wrong = fmt::format("element {} is {:#x}, not {:#x}", first + index, found, expected);
  }
  if (wrong == 0) return {};
  return fmt::format("{}; {} of {} elements are wrong", first_wrong, wrong, elements);
}

}  // namespace tofn::bench
