#include "sim/core/file.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <mutex>
#include <sstream>
#include <system_error>
#include <utility>

#include <unistd.h>

#include "sim/core/digest.hpp"
#include "sim/core/error.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/core/utf8.hpp"

namespace tofn {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view problem) {
  throw InputError(Location{.file = path.string()}, {}, problem);
}

/// Reason why the last system call failed, e.g. `: Permission denied`.
std::string reason() {
  return errno == 0 ? std::string{} : ": " + std::generic_category().message(errno);
}

/// Digests of the files read, for answers that list their sources.
struct FilesRead {
  std::mutex mutex;
  std::map<std::string, std::string> digests;
};
FilesRead& all_read() {
  static FilesRead read;
  return read;
}

void note_read(const std::filesystem::path& path, std::string_view text) {
  FilesRead& read = all_read();
  const std::lock_guard lock(read.mutex);
  read.digests[file_label(path)] = digest_of(text);
}

constexpr std::size_t largest_kept = 1 << 20;  // bytes; larger files are logs with one reader
thread_local std::map<std::string, std::string>* kept_texts = nullptr;

}  // namespace

std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder,
                                                  std::error_code& error) {
  std::vector<std::filesystem::path> entries;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    entries.push_back(entry.path());
  // Within one folder, native strings sort like paths and compare faster.
  std::ranges::sort(entries, [](const auto& a, const auto& b) { return a.native() < b.native(); });
  return entries;
}

std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder) {
  std::error_code error;
  return sorted_entries(folder, error);
}

std::map<std::string, std::string> files_read() {
  FilesRead& read = all_read();
  const std::lock_guard lock(read.mutex);
  return read.digests;
}

void forget_files_read() {
  FilesRead& read = all_read();
  const std::lock_guard lock(read.mutex);
  read.digests.clear();
}

WriteError::WriteError(const std::filesystem::path& path)
    : WriteError(path, std::generic_category().message(errno)) {}

WriteError::WriteError(const std::filesystem::path& path, std::string_view why)
    : std::runtime_error(path.string() + ": cannot be written: " + std::string(why)) {}

std::string file_content(const std::filesystem::path& path) {
  if (is_standard_input(path)) return standard_input_text();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(path, "is a directory, a file is needed");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(path, "cannot be read" + reason());
  std::ostringstream content;
  if (file.peek() != std::ifstream::traits_type::eof()) content << file.rdbuf();
  // A failed read or a lack of memory leaves half a text and is reported only here.
  if (file.bad() || content.fail()) fail(path, "cannot be read" + reason());
  return std::move(content).str();
}

std::string read_text_file(const std::filesystem::path& path) {
  if (kept_texts != nullptr)
    if (const auto kept = kept_texts->find(path.native()); kept != kept_texts->end())
      return kept->second;
  std::string text = file_content(path);
  check_text(text, path.string());
  note_read(path, text);
  if (kept_texts != nullptr && text.size() <= largest_kept) kept_texts->emplace(path, text);
  return text;
}

ReadOnce::ReadOnce() : before_(std::exchange(kept_texts, &texts_)) {}
ReadOnce::~ReadOnce() { kept_texts = before_; }

void check_text(std::string_view text, std::string_view file_name) {
  if (without_byte_order_mark(text).empty()) fail(file_name, "is empty");
  if (!is_text(text)) fail(file_name, "is not a text file");
}

namespace {

/// Writes directly to `destination`. Errors name `request`: InputError if it cannot be opened,
/// because the user chose the path, and WriteError if the write fails.
void write(const std::filesystem::path& destination, std::string_view text,
           const std::filesystem::path& request) {
  errno = 0;
  std::ofstream file(destination, std::ios::binary | std::ios::trunc);
  if (!file) fail(request, "cannot be written" + reason());
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) throw WriteError(request);
}

}  // namespace

void write_text_file_atomically(const std::filesystem::path& path, std::string_view text) {
  if (kept_texts != nullptr) kept_texts->clear();
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  const bool is_replaceable =
      kind == std::filesystem::file_type::regular || kind == std::filesystem::file_type::not_found;
  // A device or a pipe is written to; a file must not replace it.
  if (!is_replaceable) {
    write(path, text, path);
    return;
  }
  // A link stays; the file that it leads to is replaced.
  const auto target = std::filesystem::is_symlink(path, error)
                          ? std::filesystem::weakly_canonical(path, error)
                          : path;
  // The process number keeps two programs that write the same file apart.
  std::filesystem::path partial = target;
  partial += ".partial." + std::to_string(::getpid());
  try {
    write(partial, text, path);
  } catch (const WriteError&) {
    std::filesystem::remove(partial, error);
    throw;
  }
  std::filesystem::rename(partial, target, error);
  if (!error) return;
  const std::string why = error.message();
  std::filesystem::remove(partial, error);
  fail(path, "cannot be written: " + why);
}

void write_into_folder(const std::filesystem::path& path, std::string_view text) {
  std::error_code ignored;  // the write below fails and says why if the folder cannot be made
  std::filesystem::create_directories(path.parent_path(), ignored);
  write_text_file_atomically(path, text);
}

}  // namespace tofn
