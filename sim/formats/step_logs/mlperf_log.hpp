#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/formats/step_logs/mllog_run.hpp"
#include "sim/formats/step_logs/step_log.hpp"

namespace tofn {
inline namespace formats {

/// A result file of MLPerf, read in one pass.
struct MlperfLog {
  MllogRun run{};
  LoggedSizes sizes{};      ///< dumped before the run started
  std::string precision{};  ///< `fp8`, `bf16`; empty if not dumped
  long long bytes = 0;
};

/// Reads the file as a stream. A line longer than a million characters, or one that is not text,
/// counts as damaged. InputError if the file cannot be opened.
MlperfLog scan_mlperf_log(const std::filesystem::path&);

}  // namespace formats
}  // namespace tofn
