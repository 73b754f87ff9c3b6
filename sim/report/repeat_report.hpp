#pragma once

#include <string>

#include "sim/answers/repeat_answer.hpp"

namespace tofn {
inline namespace report {

std::string repeat_text(const RepeatAnswer&);
Records repeat_records(const RepeatAnswer&);

}  // namespace report
}  // namespace tofn
