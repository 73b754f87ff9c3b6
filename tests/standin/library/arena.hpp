#pragma once

#include <cstddef>
#include <map>
#include <mutex>

namespace tofn::standin {

/// The memory of one device. The program is given addresses that it may not read or write itself,
/// as those of a GPU; work on the device reaches the same bytes elsewhere.
class Arena {
 public:
  explicit Arena(std::size_t capacity);
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// nullptr where there is no room. Its first bytes are not zero, since nothing promises that.
  void* allocate(std::size_t bytes);
  /// Whether it was the start of an allocation.
  bool free(void* pointer);
  /// Where the device finds these bytes; nullptr unless they lie within one allocation.
  std::byte* at(const void* pointer, std::size_t bytes) const;
  void fill(std::byte* place, int value, std::size_t bytes) const;
  std::size_t capacity() const { return capacity_; }
  std::size_t unused() const;

 private:
  void give_back(std::size_t offset, std::size_t bytes) const;

  std::size_t capacity_;
  int file_;
  std::byte* addresses_;  // what the program sees
  std::byte* bytes_;      // what the device sees
  mutable std::mutex mutex_;
  std::map<std::size_t, std::size_t> sizes_;  // by offset
};

}  // namespace tofn::standin
