#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/error.hpp"

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

/// Says that a file is a log of steps and which commands read it; empty if it is none.
std::string log_words(const std::filesystem::path&);

/// Returns what `read` returns. If that throws an InputError and the file is a log of steps, the
/// error says which commands read it.
template <class Read>
auto unless_log(const std::string& file, const Read& read) try {
  return read();
} catch (const InputError&) {
  const std::string words = log_words(file);
  if (words.empty()) throw;
  throw InputError({file}, {}, words);
}

/// True if the file is a profile, by its ending or its first characters.
bool is_profile(const std::filesystem::path&);

/// Summarises a profile (PyTorch's trace, Nsight Systems' SQLite): time by kind of kernel, exposed
/// communication, gaps. InputError as its reader throws it.
FileContent check_profile(const std::filesystem::path&);

}  // namespace answers
}  // namespace tofn
