#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace blocks {

/// Where rows go, block after block in order. All may throw WriteError.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// The block to begin with: those before it are there already.
  virtual std::uint64_t first_block() const { return 0; }
  /// The rows of the next block.
  virtual void append(std::string_view rows) = 0;
  /// Makes safe what came so far, where that is due or `now`.
  virtual void flush(bool now) = 0;
  virtual std::uint64_t rows() const = 0;

  /// What outlives this process.
  struct Kept {
    std::uint64_t blocks = 0;
    std::string file;
  };
  virtual std::optional<Kept> kept() const { return {}; }
};

}  // namespace blocks
}  // namespace tofn
