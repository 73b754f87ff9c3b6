#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace blocks {

/// Takes rows block after block, in order. All members may throw WriteError.
class RowSink {
 public:
  virtual ~RowSink() = default;
  /// The first block to append; those before it are there already.
  virtual std::uint64_t first_block() const { return 0; }
  /// Appends the rows of the next block.
  virtual void append(std::string_view rows) = 0;
  /// Makes the appended rows safe if that is due, or at once if `now`.
  virtual void flush(bool now) = 0;
  virtual std::uint64_t rows() const = 0;

  /// Rows that outlive this process.
  struct Kept {
    std::uint64_t blocks = 0;
    std::string file;
  };
  virtual std::optional<Kept> kept() const { return {}; }
};

}  // namespace blocks
}  // namespace tofn
