#pragma once

#include <filesystem>
#include <string>

namespace tofn {

/// A text that a reader of files can read: in a folder of its own, gone with this. WriteError where
/// there is no place for it.
class TextAsFile {
 public:
  TextAsFile(const std::string& name, const std::string& text);
  ~TextAsFile();
  TextAsFile(const TextAsFile&) = delete;
  TextAsFile& operator=(const TextAsFile&) = delete;

  std::string path() const { return path_.string(); }
  /// Words that name the file, without the folder.
  std::string told(std::string words) const;

 private:
  std::filesystem::path folder_{}, path_{};
};

}  // namespace tofn
