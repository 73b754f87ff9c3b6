#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/measurements/collective_log.hpp"

namespace tofn {
inline namespace evidence {

/// Tables of measured collectives from a file of any kind: a calibration (.yaml), a record of
/// tofn-bench, or the log of a benchmark. InputError with the first mistake.
LogReading read_collective_tables(const std::filesystem::path& file, const LogHints& hints);

/// All tables of these files, under the names of the files; what cannot be read goes to `unread`.
std::vector<CollectiveTable> read_all_tables(const std::vector<std::filesystem::path>& files,
                                             std::vector<std::string>& unread);

/// A file itself, or the files right below a folder by name. InputError where there is neither.
std::vector<std::filesystem::path> files_at(const std::filesystem::path& path);

}  // namespace evidence
}  // namespace tofn
