#include "tests/standin/library/arena.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/standin/library/refusal_by_name.hpp"

namespace tofn::standin {
namespace {

constexpr std::size_t alignment = 4096;  // as windows of NCCL need; cudaMalloc's is smaller
constexpr std::size_t gap = 4096;        // so that a write beyond an allocation fails

std::byte* mapped(std::size_t bytes, int protection, int flags, int file) {
  void* place = ::mmap(nullptr, bytes, protection, flags | MAP_NORESERVE, file, 0);
  if (place == MAP_FAILED) refuse("memory", "mmap: " + std::string(std::strerror(errno)));
  return static_cast<std::byte*>(place);
}

int memory_file(std::size_t bytes) {
  const int file = ::memfd_create("tofn-standin-device", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0)
    refuse("memory", "memfd_create: " + std::string(std::strerror(errno)));
  return file;
}

std::size_t rounded_up(std::size_t bytes) {
  return (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

Arena::Arena(std::size_t capacity)
    : capacity_(rounded_up(capacity)),
      file_(memory_file(capacity_)),
      addresses_(mapped(capacity_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1)),
      bytes_(mapped(capacity_, PROT_READ | PROT_WRITE, MAP_SHARED, file_)) {}

void* Arena::allocate(std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0 || bytes > capacity_) return nullptr;
  std::size_t place = 0;
  for (const auto& [offset, size] : sizes_) {
    if (place + rounded_up(bytes) + gap <= offset) break;
    place = offset + rounded_up(size) + gap;
  }
  if (place + rounded_up(bytes) > capacity_) return nullptr;
  sizes_[place] = bytes;
  constexpr std::size_t littered = 1 << 16;
  std::memset(bytes_ + place, 0xa5, std::min(bytes, littered));
  return addresses_ + place;
}

bool Arena::free(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto found =
      sizes_.find(static_cast<std::size_t>(static_cast<std::byte*>(pointer) - addresses_));
  if (found == sizes_.end()) return false;
  give_back(found->first, rounded_up(found->second));
  sizes_.erase(found);
  return true;
}

std::byte* Arena::at(const void* pointer, std::size_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto* address = static_cast<const std::byte*>(pointer);
  if (address < addresses_ || address >= addresses_ + capacity_) return nullptr;
  const auto offset = static_cast<std::size_t>(address - addresses_);
  auto next = sizes_.upper_bound(offset);
  if (next == sizes_.begin()) return nullptr;
  --next;
  const std::size_t end = next->first + next->second;
  return offset < end && bytes <= end - offset ? bytes_ + offset : nullptr;
}

/// Fills without using memory for zeroes: whole pages return to the system.
void Arena::fill(std::byte* place, int value, std::size_t bytes) const {
  const auto offset = static_cast<std::size_t>(place - bytes_);
  const std::size_t first = std::min(rounded_up(offset), offset + bytes);
  const std::size_t last = std::max((offset + bytes) / alignment * alignment, first);
  if (value != 0) {
    std::memset(place, value, bytes);
    return;
  }
  std::memset(place, 0, first - offset);
  give_back(first, last - first);
  std::memset(bytes_ + last, 0, offset + bytes - last);
}

std::size_t Arena::unused() const {
  const std::lock_guard lock(mutex_);
  std::size_t used = 0;
  for (const auto& [offset, size] : sizes_) used += rounded_up(size) + gap;
  return capacity_ - std::min(used, capacity_);
}

void Arena::give_back(std::size_t offset, std::size_t bytes) const {
  if (bytes == 0) return;
  if (::fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                  static_cast<off_t>(bytes)) != 0)
    std::memset(bytes_ + offset, 0, bytes);
}

}  // namespace tofn::standin
