#include "tests/fuzz/file_room.hpp"

#include <system_error>

#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is POSIX's

#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/sections.hpp"

namespace tofn::fuzz {

namespace fs = std::filesystem;

FileRoom::FileRoom(const std::vector<std::string>& names) {
  std::string folder = (fs::temp_directory_path() / "tofn-fuzz.XXXXXX").string();
  require(::mkdtemp(folder.data()) != nullptr, "there is a place for a folder");
  folder_ = folder;
  for (const std::string& name : names) {
    auto file = std::make_unique<MemoryFile>();
    fs::create_directories((folder_ / name).parent_path());
    fs::create_symlink(file->path(), folder_ / name);
    files_.emplace(name, std::move(file));
  }
}

FileRoom::~FileRoom() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

void FileRoom::hold(const std::string& input) const {
  for (const auto& [name, file] : files_) file->hold("");
  for (const auto& [name, text] : cut_into_files(input))
    if (const auto found = files_.find(name); found != files_.end()) found->second->hold(text);
}

}  // namespace tofn::fuzz
