#include "sim/core/version.hpp"

#include <array>

#include <fmt/format.h>

// Values that change with each commit and clone are defined only in this file, so that no other
// file is compiled again because of them.
#ifndef TOFN_VERSION
#define TOFN_VERSION "unknown"
#endif
#ifndef TOFN_GIT_DESCRIBE
#define TOFN_GIT_DESCRIBE "unknown"
#endif
#ifndef TOFN_COMMIT_DATE
#define TOFN_COMMIT_DATE ""
#endif
#ifndef TOFN_BUILT_COMPILER
#define TOFN_BUILT_COMPILER ""
#define TOFN_BUILT_MPI ""
#define TOFN_BUILT_CUDA ""
#define TOFN_BUILT_NCCL ""
#define TOFN_BUILT_OPENBLAS ""
#define TOFN_BUILT_CHART_JS ""
#endif
#ifndef TOFN_CONFIGS_DIR
#define TOFN_CONFIGS_DIR "configs"
#endif

namespace tofn {

const char* const version_number = TOFN_VERSION;
const char* const git_description = TOFN_GIT_DESCRIBE;
const char* const commit_date = TOFN_COMMIT_DATE;
const char* const built_beside = TOFN_CONFIGS_DIR;

std::string version_text(std::string_view program) {
  struct Part {
    std::string_view name;
    std::string_view version;  ///< empty: built without the library
    std::string_view use;
  };
  static constexpr std::array parts{
      Part{"compiler", TOFN_BUILT_COMPILER, ""},
      Part{"MPI", TOFN_BUILT_MPI, "sweeps over several nodes, tofn-bench"},
      Part{"CUDA", TOFN_BUILT_CUDA, "tofn-bench on GPUs"},
      Part{"NCCL", TOFN_BUILT_NCCL, "tofn-bench on GPUs"},
      Part{"OpenBLAS", TOFN_BUILT_OPENBLAS, "tofn-bench compute"},
      Part{"Chart.js", TOFN_BUILT_CHART_JS, "charts of tofn report"},
  };
  std::string text = fmt::format("{} {} ({})\n", program, version_number, git_description);
  for (const Part& part : parts) {
    const bool is_there = !part.version.empty();
    text += fmt::format("  {:<9} {}", part.name, is_there ? part.version : "without");
    if (!is_there && !part.use.empty()) text += fmt::format(" ({})", part.use);
    text += '\n';
  }
  return text;
}

}  // namespace tofn
