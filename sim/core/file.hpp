#pragma once

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace tofn {

/// What a folder holds, in order of path; nothing where it cannot be read, and `error` says why.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder,
                                                  std::error_code& error);
/// The same where it does not matter why.
std::vector<std::filesystem::path> sorted_entries(const std::filesystem::path& folder);

/// Digests (core/digest.hpp) of the files that this process has read, by name.
std::map<std::string, std::string> files_read();
void forget_files_read();

/// The whole of a file, or with `-` of standard input. Throws InputError: `X: cannot be read: No
/// such file or directory`, `X: is a directory, a file is needed`.
std::string file_content(const std::filesystem::path& path);
/// The same of a text file that the answer rests on. Throws what check_text throws, too.
std::string read_text_file(const std::filesystem::path& path);

/// While one lives, its thread opens each text file of at most 1 MiB once, and has from
/// `read_text_file` what it read before: an answer rests on one state of each file. After this
/// thread wrote a file by the functions below, all are read anew, and so they are within a second
/// `ReadOnce`.
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

/// Throws InputError `X: is empty` or `X: is not a text file` (NUL or not UTF-8).
void check_text(std::string_view text, std::string_view file_name);

/// `X: cannot be written: No space left on device`: no mistake in the input, hence no InputError.
class WriteError : public std::runtime_error {
 public:
  /// With what the system said of the last call.
  explicit WriteError(const std::filesystem::path&);
  WriteError(const std::filesystem::path&, std::string_view why);
};

/// Writes beside `path` and renames, so that no reader sees half a file. Throws InputError
/// `X: cannot be written: Permission denied` where the path cannot be opened, else WriteError.
void write_text_file_atomically(const std::filesystem::path& path, std::string_view text);
/// The same into a folder that is made where it does not exist.
void write_into_folder(const std::filesystem::path& path, std::string_view text);

}  // namespace tofn
