#pragma once

#include <filesystem>
#include <vector>

#include "sim/published/quote.hpp"

namespace tofn {
inline namespace config {

/// Mistakes are InputErrors at file, line and column.
Quote load_quote(const std::filesystem::path&);

/// Those of a folder, in order of name, or of one file. InputError where there are none.
std::vector<Quote> load_quotes(const std::filesystem::path&);

}  // namespace config
}  // namespace tofn
