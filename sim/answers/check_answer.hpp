#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/check_log.hpp"
#include "sim/config/library.hpp"

namespace tofn {
inline namespace answers {

/// Result of checking a file: its content, or the problem found in it.
struct CheckedFile {
  std::string file;
  std::optional<FileContent> content;
  std::optional<std::string> problem;
};

/// Validates files of any kind against a configs folder, which is read when a file refers to it.
class FileChecker {
 public:
  explicit FileChecker(std::filesystem::path configs) : configs_(std::move(configs)) {}

  /// Returns the content of a file; InputError with the first mistake in it.
  FileContent check(const std::filesystem::path&);
  /// Checks a file like check(), but returns the mistake in the result.
  CheckedFile checked(const std::string& file);

 private:
  FileContent check_yaml(const std::filesystem::path&);
  FileContent check_calibration(const std::filesystem::path&);
  FileContent check_step_profile(const std::filesystem::path&);
  FileContent check_steps(const std::filesystem::path&);
  FileContent check_training_runs(const std::filesystem::path&);
  FileContent check_metered_runs(const std::filesystem::path&);
  FileContent check_table(const std::filesystem::path&);
  const std::vector<Accelerator>& accelerators();
  Library& library();

  std::filesystem::path configs_;
  std::optional<std::vector<Accelerator>> accelerators_;
  std::optional<Library> library_;
};

}  // namespace answers
}  // namespace tofn
