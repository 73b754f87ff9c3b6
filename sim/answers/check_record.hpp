#pragma once

#include <filesystem>

#include "sim/answers/check_log.hpp"

namespace tofn {
inline namespace answers {

/// Content of a record of measurements, with a note on each point that is flagged or unfinished.
/// InputError with the first mistake in it.
FileContent check_record(const std::filesystem::path&);

}  // namespace answers
}  // namespace tofn
