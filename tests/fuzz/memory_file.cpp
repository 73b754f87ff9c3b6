#include "tests/fuzz/memory_file.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/invariants.hpp"

namespace tofn::fuzz {

MemoryFile::MemoryFile()
    : descriptor_(::memfd_create("input", 0)),
      path_("/proc/self/fd/" + std::to_string(descriptor_)) {
  require(descriptor_ >= 0, "there is memory for a file");
}

MemoryFile::~MemoryFile() { ::close(descriptor_); }

void MemoryFile::hold(std::string_view text) const {
  require(::ftruncate(descriptor_, 0) == 0, "the file can be emptied");
  require(::pwrite(descriptor_, text.data(), text.size(), 0) == static_cast<::ssize_t>(text.size()),
          "the file can be written");
}

const std::string& path_with(std::string_view text) {
  static const MemoryFile file;
  file.hold(text);
  return file.path();
}

}  // namespace tofn::fuzz
