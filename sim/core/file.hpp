#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tofn {

/// Entries of a folder, sorted by path. Empty if the folder cannot be read; `error` says why.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder,
                                                  std::error_code& error);
/// Entries of a folder, sorted by path; empty if it cannot be read.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder);

/// Digests (core/digest.hpp) of the files that this process has read, by file name.
std::map<std::string, std::string> files_read();
void forget_files_read();

/// Returns the whole content of a file, or of standard input for `-`. InputError: `X: cannot be
/// read: No such file or directory`, `X: is a directory, a file is needed`.
std::string file_content(const std::filesystem::path& path);
/// Returns the content of a text file and notes its digest. Also throws the InputErrors of
/// check_text.
std::string read_text_file(const std::filesystem::path& path);

/// Scope in which a thread opens each text file of at most 1 MiB once, and gets later
/// `read_text_file` calls from memory, so that an answer uses one state of each file. Files are
/// read again after this thread wrote one by the functions below, and within a nested `ReadOnce`.
class ReadOnce {
 public:
  ReadOnce();
  ~ReadOnce();
  ReadOnce(const ReadOnce&) = delete;
  ReadOnce& operator=(const ReadOnce&) = delete;

 private:
  std::map<std::string, std::string> texts_;  ///< by path
  std::map<std::string, std::string>* before_;
};

/// InputError `X: is empty` or `X: is not a text file` (NUL or not UTF-8).
void check_text(std::string_view text, std::string_view file_name);

/// Failure to write: `X: cannot be written: No space left on device`. It is no InputError, because
/// the input has no mistake.
class WriteError : public std::runtime_error {
 public:
  /// Takes the reason from the last system call.
  explicit WriteError(const std::filesystem::path&);
  WriteError(const std::filesystem::path&, std::string_view why);
};

/// Writes to a temporary file beside `path` and renames it, so that no reader sees half a file.
/// InputError `X: cannot be written: Permission denied` if the path cannot be opened, otherwise
/// WriteError.
void write_text_file_atomically(const std::filesystem::path& path, std::string_view text);
/// Writes a file atomically and makes its folder first if it does not exist.
void write_into_folder(const std::filesystem::path& path, std::string_view text);

}  // namespace tofn
