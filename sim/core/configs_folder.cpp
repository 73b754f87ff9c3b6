#include "sim/core/configs_folder.hpp"

#include <cstdlib>
#include <system_error>

#include "sim/core/version.hpp"

namespace tofn {

std::filesystem::path configs_beside(const std::filesystem::path& program,
                                     const std::filesystem::path& otherwise) {
  const auto installed = program.parent_path().parent_path() / "share" / "tofn" / "configs";
  std::error_code error;
  return std::filesystem::is_directory(installed, error) ? installed : otherwise;
}

std::filesystem::path default_configs() {
  if (const char* set = std::getenv("TOFN_CONFIGS")) return set;  // NOLINT(concurrency-mt-unsafe)
  // A system that has no /proc gives an empty path, beside which nothing is installed.
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path(built_beside) : configs_beside(program, built_beside);
}

}  // namespace tofn
