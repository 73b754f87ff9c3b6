#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/fuzz/memory_file.hpp"

namespace tofn::fuzz {

/// A temporary folder of links to files in memory. The destructor removes it.
class FileRoom {
 public:
  /// Creates the links once. A name may contain folders: `refs/main`.
  explicit FileRoom(const std::vector<std::string>& names);
  ~FileRoom();
  FileRoom(const FileRoom&) = delete;
  FileRoom& operator=(const FileRoom&) = delete;

  const std::filesystem::path& path() const { return folder_; }
  /// Sets each file to the text that the input has for it, or to empty if it has none.
  void hold(const std::string& input) const;

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::unique_ptr<MemoryFile>> files_;
};

}  // namespace tofn::fuzz
