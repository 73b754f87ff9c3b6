#include "sim/core/configs_folder.hpp"

#include <cstdlib>
#include <system_error>

#include <dlfcn.h>

#include "sim/core/version.hpp"

namespace tofn {
namespace {

/// Path of the program, shared library or module that holds this code.
std::filesystem::path own_object() {
  Dl_info object{};
  const auto code = reinterpret_cast<const void*>(&configs_beside);
  if (dladdr(code, &object) == 0 || object.dli_fname == nullptr) return {};
  std::error_code error;
  const auto path = std::filesystem::canonical(object.dli_fname, error);
  return error ? std::filesystem::path() : path;
}

}  // namespace

std::filesystem::path configs_beside(const std::filesystem::path& object,
                                     const std::filesystem::path& otherwise) {
  constexpr int most_folders_up = 5;  // lib/python3/dist-packages/tofn/_tofn.so
  std::filesystem::path folder = object.parent_path();
  for (int up = 0; up < most_folders_up && !folder.empty(); ++up, folder = folder.parent_path()) {
    auto installed = folder / "share" / "tofn" / "configs";
    std::error_code error;
    if (std::filesystem::is_directory(installed, error)) return installed;
  }
  return otherwise;
}

std::filesystem::path default_configs() {
  if (const char* set = std::getenv("TOFN_CONFIGS")) return set;  // NOLINT(concurrency-mt-unsafe)
  // A system without /proc gives an empty path, and no configs are found beside it.
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  return configs_beside(own_object(), configs_beside(program, built_beside));
}

}  // namespace tofn
