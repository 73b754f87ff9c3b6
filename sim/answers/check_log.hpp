#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/yaml/yaml_reader.hpp"

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

/// Content of a launch file; absent if it holds no key of a launcher whose files are read.
std::optional<FileContent> check_launch_file(const std::filesystem::path& file,
                                             const std::filesystem::path& configs);

/// Content of a record of measurements, with a note on each point that is flagged or unfinished.
/// InputError with the first mistake in it.
FileContent check_record(const std::filesystem::path&);

/// True if JSON has a key of a record of tofn-bench, which may lack others.
bool resembles_record(const YamlNode& root);

}  // namespace answers
}  // namespace tofn
