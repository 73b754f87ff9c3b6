#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/published/import_mlperf.hpp"

namespace tofn {
inline namespace published {

/// Folder SUBMITTER/results/SYSTEM/BENCHMARK of a results repository.
struct ResultFolder {
  std::filesystem::path submitter{};
  std::filesystem::path path{};
  std::vector<std::filesystem::path> files{};  ///< result_*.txt, by name
};

/// Folders with a result file, ordered by name. InputError if there is none.
std::vector<ResultFolder> result_folders(const std::filesystem::path& repository);

/// A row from the files beside the results: names, the system's description, scaling.json and the
/// submission's script for the system.
ImportedRow described_row(const ResultFolder&);

}  // namespace published
}  // namespace tofn
