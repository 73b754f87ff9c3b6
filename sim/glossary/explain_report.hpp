#pragma once

#include <span>
#include <string>

#include "sim/glossary/term.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace glossary {

/// Every term with its explanation.
std::string terms_text(std::span<const Term>);
/// Names of the terms, group by group.
std::string groups_text(std::span<const Term>);
ExplainedRecords term_records(std::span<const Term>);

}  // namespace glossary
}  // namespace tofn
