#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "sim/measurements/mllog_run.hpp"
#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {

/// A result file of MLPerf, read once from start to end.
struct MlperfLog {
  MllogRun run{};
  LoggedSizes sizes{};      ///< dumped before the run started
  std::string precision{};  ///< `fp8`, `bf16`; empty: not dumped
  long long bytes = 0;
};

/// Streams the file: a line longer than a million characters counts as damaged, whatever is no
/// text too. InputError where the file cannot be opened.
MlperfLog scan_mlperf_log(const std::filesystem::path&);

}  // namespace measurements
}  // namespace tofn
