#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/core/file.hpp"

namespace tofn {
inline namespace blocks {

/// A file that is only written at its end. All members throw WriteError.
class OutputFile {
 public:
  /// Opens the file, or creates an empty one.
  explicit OutputFile(std::filesystem::path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Returns once all data is on the disk.
  void sync();
  /// Cuts off everything after `bytes`.
  void cut(std::uint64_t bytes);
  /// True if no other process has locked the file; keeps others out until this one ends. True on
  /// file systems without locks.
  bool lock() const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace blocks
}  // namespace tofn
