#pragma once

#include <filesystem>
#include <vector>

#include "sim/published/quote.hpp"

namespace tofn {
inline namespace config {

/// Reads a file of quotes/. Mistakes are InputErrors with file, line and column.
Quote load_quote(const std::filesystem::path&);

/// Returns the quotes of a folder in order of file name, or of one file. InputError if there are
/// none.
std::vector<Quote> load_quotes(const std::filesystem::path&);

}  // namespace config
}  // namespace tofn
