#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "sim/core/file.hpp"

namespace tofn {
inline namespace blocks {

/// A file that is written at its end, and only there. All throw WriteError.
class OutputFile {
 public:
  /// Opens, or makes an empty one.
  explicit OutputFile(std::filesystem::path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  /// Returns once the disk has it all.
  void sync();
  /// Cuts off what comes after.
  void cut(std::uint64_t bytes);
  /// Whether no other process had it; keeps others out until this one ends. Where the file system
  /// knows no locks: true.
  bool lock() const;

 private:
  std::filesystem::path path_;
  int descriptor_;
};

}  // namespace blocks
}  // namespace tofn
