#pragma once

#include <string>
#include <vector>

#include "sim/report/records.hpp"

namespace tofn {

/// `instead       A100 SXM 80GB has no fp8: products run in bf16`, a line each.
std::string substitutions_text(const std::vector<std::string>& sentences);

/// All of them in one cell; nothing without any.
Value substituted(const std::vector<std::string>& sentences);

}  // namespace tofn
