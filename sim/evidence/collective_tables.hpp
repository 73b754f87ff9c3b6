#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/formats/collective_logs/collective_log.hpp"

namespace tofn {
inline namespace evidence {

/// Tables of measured collectives from a file of any kind: a calibration (.yaml), a record of
/// tofn-bench, or a benchmark's log. InputError with the first mistake.
LogReading read_collective_tables(const std::filesystem::path& file, const LogHints& hints);

/// All tables of these files, named after the files; `unread` receives the errors.
std::vector<CollectiveTable> read_all_tables(const std::vector<std::filesystem::path>& files,
                                             std::vector<std::string>& unread);

/// The file itself, or the files directly in a folder, by name. InputError if there is neither.
std::vector<std::filesystem::path> files_at(const std::filesystem::path& path);

}  // namespace evidence
}  // namespace tofn
