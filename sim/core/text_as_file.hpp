#pragma once

#include <filesystem>
#include <string>

namespace tofn {

/// A text in a temporary file, for readers that need a path. The folder is removed with this
/// object. WriteError if it cannot be made.
class TextAsFile {
 public:
  TextAsFile(const std::string& name, const std::string& text);
  ~TextAsFile();
  TextAsFile(const TextAsFile&) = delete;
  TextAsFile& operator=(const TextAsFile&) = delete;

  std::string path() const { return path_.string(); }
  /// Replaces the file's path in a message by its name, without the folder.
  std::string reported(std::string words) const;

 private:
  std::filesystem::path folder_{}, path_{};
};

}  // namespace tofn
