#include "microbench/harness/host_buffer.hpp"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>

#include "microbench/harness/machine.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn::bench {
namespace {

constexpr std::size_t page = 4096;

std::byte* allocated(std::size_t bytes) {
  const std::size_t whole_pages = (bytes + page - 1) / page * page;
  // Linux overcommits memory and kills processes that use it, so check first.
  void* memory = static_cast<double>(bytes) > available_memory()
                     ? nullptr
                     : std::aligned_alloc(page, std::max(whole_pages, page));
  if (memory == nullptr)
    throw std::runtime_error("out of host memory: no room for a buffer of " +
                             to_text(Bytes(static_cast<double>(bytes))));
  std::memset(memory, 0, std::max(whole_pages, page));
  return static_cast<std::byte*>(memory);
}

}  // namespace

HostBuffer::HostBuffer(std::size_t bytes) : memory_(allocated(bytes)), size_(bytes) {}

void HostBuffer::write(std::size_t offset, std::span<const std::byte> bytes) {
  assert(offset + bytes.size() <= size_);
  std::copy(bytes.begin(), bytes.end(), memory_.get() + offset);
}

std::vector<std::byte> HostBuffer::read(std::size_t offset, std::size_t bytes) {
  assert(offset + bytes <= size_);
  return {memory_.get() + offset, memory_.get() + offset + bytes};
}

}  // namespace tofn::bench
