#pragma once

#include <string>
#include <string_view>

namespace tofn::fuzz {

/// A file in memory that readers open by its path, so that it needs no disk and leaves nothing
/// behind.
class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }
  void hold(std::string_view text) const;

 private:
  int descriptor_;
  std::string path_;
};

/// Path of the file shared by the targets that read a single file, with this text.
const std::string& path_with(std::string_view text);

}  // namespace tofn::fuzz
