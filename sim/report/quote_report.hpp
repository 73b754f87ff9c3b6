#pragma once

#include <string>
#include <vector>

#include "sim/answers/quote_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

std::string quote_text(const std::vector<SimulatedQuote>&);
Records quote_records(const std::vector<SimulatedQuote>&);

}  // namespace report
}  // namespace tofn
