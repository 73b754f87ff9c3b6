#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {

/// Every word, figure, column and key, from the tables that know them. Options are not among them.
std::vector<Term> known_terms();

/// Those of that name, without regard to case, hyphens and underscores: `NVLink domain` is
/// `nvlink-domain`. Else the figure that a column's end belongs to (`days_low90`) or the column
/// whose pattern it has, with the end's meaning.
std::vector<Term> terms_named(std::span<const Term>, std::string_view name);

/// The figure that a column is of: `days` of `days_low90`; others as they are.
std::string_view without_column_end(std::string_view column);

/// Up to five names near to one that is none of them.
std::vector<std::string> near_names(std::span<const Term>, std::string_view name);

}  // namespace glossary
}  // namespace tofn
