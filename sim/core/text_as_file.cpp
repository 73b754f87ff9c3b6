#include "sim/core/text_as_file.hpp"

#include <system_error>

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX's

#include "sim/core/file.hpp"

namespace tofn {

TextAsFile::TextAsFile(const std::string& name, const std::string& text) {
  std::string folder = (std::filesystem::temp_directory_path() / "tofn.XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw WriteError(folder);
  folder_ = folder;
  path_ = folder_ / name;
  write_text_file_atomically(path_, text);
}

TextAsFile::~TextAsFile() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::string TextAsFile::reported(std::string words) const {
  const std::string folder = folder_.string() + '/';
  for (auto at = words.find(folder); at != words.npos; at = words.find(folder, at))
    words.erase(at, folder.size());
  return words;
}

}  // namespace tofn
