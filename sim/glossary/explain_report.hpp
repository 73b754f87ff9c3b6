#pragma once

#include <span>
#include <string>

#include "sim/glossary/term.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace glossary {

/// Each term with all that is told of it.
std::string terms_text(std::span<const Term>);
/// The names of the terms, group by group.
std::string groups_text(std::span<const Term>);
ExplainedRecords term_records(std::span<const Term>);

}  // namespace glossary
}  // namespace tofn
