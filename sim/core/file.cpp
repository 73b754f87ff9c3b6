#include "sim/core/file.hpp"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <system_error>

#include <unistd.h>

#include "sim/core/error.hpp"
#include "sim/core/utf8.hpp"

namespace tofn {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view problem) {
  throw InputError(Location{.file = path.string()}, {}, problem);
}

/// What the system said of the last call, e.g. `: Permission denied`.
std::string reason() {
  return errno == 0 ? std::string{} : ": " + std::generic_category().message(errno);
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "is a directory, a file is needed");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot be read" + reason());
  std::ostringstream content;
  if (file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();
  if (file.bad() || content.bad()) fail(path, "cannot be read" + reason());
  std::string text = std::move(content).str();
  check_text(text, path.string());
  return text;
}

void check_text(std::string_view text, std::string_view file_name) {
  if (without_byte_order_mark(text).empty()) fail(file_name, "is empty");
  if (!is_text(text)) fail(file_name, "is not a text file");
}

void write_text_file_atomically(const std::filesystem::path& path, std::string_view text) {
  // The process number keeps two programs that write the same file out of each other's way.
  std::filesystem::path partial = path;
  partial += ".partial." + std::to_string(::getpid());
  errno = 0;
  std::ofstream file(partial, std::ios::binary | std::ios::trunc);
  if (!file) fail(path, "cannot be written" + reason());
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  std::error_code error;
  if (!file) {
    const std::string why = reason();
    std::filesystem::remove(partial, error);
    fail(path, "cannot be written" + why);
  }
  std::filesystem::rename(partial, path, error);
  if (!error) return;
  const std::string why = error.message();
  std::filesystem::remove(partial, error);
  fail(path, "cannot be written: " + why);
}

}  // namespace tofn
