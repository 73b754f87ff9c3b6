#pragma once

#include <string>
#include <vector>

#include "sim/answers/quote_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

std::string quote_text(const std::vector<SimulatedQuote>&);
ExplainedRecords quote_records(const std::vector<SimulatedQuote>&);

}  // namespace report
}  // namespace tofn
