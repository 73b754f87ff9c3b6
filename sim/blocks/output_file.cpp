#include "sim/blocks/output_file.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tofn {
inline namespace blocks {

OutputFile::OutputFile(std::filesystem::path path)
    : path_(std::move(path)),
      // O_APPEND, so that writes after a cut follow the remaining bytes.
      descriptor_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) throw WriteError(path_);
}

OutputFile::~OutputFile() { ::close(descriptor_); }

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written >= 0)
      bytes.remove_prefix(static_cast<std::size_t>(written));
    else if (errno != EINTR)
      throw WriteError(path_);
  }
}

void OutputFile::sync() {
  // On file systems without sync, written data is as safe as they make it.
  if (::fdatasync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) throw WriteError(path_);
}

void OutputFile::cut(std::uint64_t bytes) {
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) throw WriteError(path_);
}

bool OutputFile::lock() const {
  return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

}  // namespace blocks
}  // namespace tofn
