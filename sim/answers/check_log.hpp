#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tofn {
inline namespace answers {

/// What a file turned out to hold.
struct FileContent {
  std::string kind;                ///< `cluster`
  std::string summary;             ///< `, 122 rows of which 118 resolve`
  std::vector<std::string> notes;  ///< one line each
};

/// What the output of a program tells: steps of training, else collectives. InputError where it is
/// neither, or contradicts itself.
FileContent check_log(const std::filesystem::path&);

/// Whether the file is a profile, by its ending or its first characters.
bool is_profile(const std::filesystem::path&);

/// Where the time of a profile goes (PyTorch's trace, Nsight Systems' SQLite): kinds of kernels,
/// exposed communication, gaps. InputError as its reader throws it.
FileContent check_profile(const std::filesystem::path&);

}  // namespace answers
}  // namespace tofn
