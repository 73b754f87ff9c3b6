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

namespace {

/// Writes straight to a path; empty where that worked, else why not.
std::string write_problem(const std::filesystem::path& path, std::string_view text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) return "cannot be written" + reason();
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  return file ? "" : "cannot be written" + reason();
}

}  // namespace

void write_text_file_atomically(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  const bool is_replaceable =
      kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
  // A device or a pipe is written to, never replaced by a file of its name.
  if (!is_replaceable) {
    if (const std::string problem = write_problem(path, text); !problem.empty())
      fail(path, problem);
    return;
  }
  // Behind a link the file that it leads to is replaced, not the link.
  const auto target = std::filesystem::is_symlink(path, error)
                          ? std::filesystem::weakly_canonical(path, error)
                          : path;
  // The process number keeps two programs that write the same file out of each other's way.
  std::filesystem::path beside = target;
  beside += ".partial." + std::to_string(::getpid());
  if (const std::string problem = write_problem(beside, text); !problem.empty()) {
    std::filesystem::remove(beside, error);
    fail(path, problem);
  }
  std::filesystem::rename(beside, target, error);
  if (!error) return;
  const std::string why = error.message();
  std::filesystem::remove(beside, error);
  fail(path, "cannot be written: " + why);
}

}  // namespace tofn
