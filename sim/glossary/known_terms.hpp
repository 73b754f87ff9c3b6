#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {

/// Every word, figure, column and key, from the tables that define them. Options are not included.
std::vector<Term> known_terms();

/// Terms of a name, ignoring case, hyphens and underscores: `NVLink domain` is `nvlink-domain`.
/// Otherwise the figure of a column with an end (`days_low90`), or the column whose pattern it
/// matches, with the end's meaning.
std::vector<Term> terms_named(std::span<const Term>, std::string_view name);

/// Figure of a column: `days` for `days_low90`; other names unchanged.
std::string_view without_column_end(std::string_view column);

/// Up to five names that are similar to an unknown one.
std::vector<std::string> near_names(std::span<const Term>, std::string_view name);

}  // namespace glossary
}  // namespace tofn
