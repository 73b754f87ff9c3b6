#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tofn {
inline namespace answers {

/// Kind and summary of a file's content.
struct FileContent {
  std::string kind;                ///< `cluster`
  std::string summary;             ///< `, 122 rows of which 118 resolve`
  std::vector<std::string> notes;  ///< one line each
};

/// Summarises the output of a program: steps of training if it holds any, else collectives.
/// InputError if it holds neither or contradicts itself.
FileContent check_log(const std::filesystem::path&);

/// True if the file is a profile, by its ending or its first characters.
bool is_profile(const std::filesystem::path&);

/// Summarises a profile (PyTorch's trace, Nsight Systems' SQLite): time by kind of kernel, exposed
/// communication, gaps. InputError as its reader throws it.
FileContent check_profile(const std::filesystem::path&);

}  // namespace answers
}  // namespace tofn
