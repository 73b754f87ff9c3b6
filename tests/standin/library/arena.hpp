#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace tofn::standin {

/// Memory of one device. The program gets addresses that it cannot read or write itself, as on a
/// GPU; work on the device reaches the same bytes at another address.
class Arena {
 public:
  explicit Arena(std::size_t capacity);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Returns nullptr if there is no room. The first bytes are not zero, because CUDA does not
  /// promise zeroes.
  void* allocate(std::size_t bytes);
  /// Frees an allocation; false if the pointer is not the start of one.
  bool free(void* pointer);
  /// Address of these bytes for the device; nullptr unless they lie within one allocation.
  std::byte* at(const void* pointer, std::size_t bytes) const;
  void fill(std::byte* place, int value, std::size_t bytes) const;
  std::size_t capacity() const { return capacity_; }
  std::size_t unused() const;

 private:
  void give_back(std::size_t offset, std::size_t bytes) const;

  std::size_t capacity_;
  int file_;
  std::byte* addresses_;  // for the program
  std::byte* bytes_;      // for the device
  mutable std::mutex mutex_;
  std::map<std::size_t, std::size_t> sizes_;  // bytes of each allocation by its offset
};

}  // namespace tofn::standin
