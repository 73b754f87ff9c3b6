#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/memory_file.hpp"

namespace tofn::fuzz {

/// A folder, gone with this, whose files lie in memory: a link each, made once.
class FileRoom {
 public:
  /// With folders in their names: `refs/main`.
  explicit FileRoom(const std::vector<std::string>& names);
  ~FileRoom();
  FileRoom(const FileRoom&) = delete;
  FileRoom& operator=(const FileRoom&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  /// Each file with the text that the input has for it; empty where it has none.
  void hold(const std::string& input) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<MemoryFile>> files_;
};

}  // namespace tofn::fuzz
