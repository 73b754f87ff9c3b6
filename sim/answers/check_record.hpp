#pragma once

#include <filesystem>

#include "sim/answers/check_log.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace answers {

/// Content of a record of measurements, with a note on each point that is flagged or unfinished.
/// InputError with the first mistake in it.
FileContent check_record(const std::filesystem::path&);

/// True if JSON has a key of a record of tofn-bench, which may lack others.
bool resembles_record(const YamlNode& root);

}  // namespace answers
}  // namespace tofn
