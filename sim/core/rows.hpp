#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tofn {

/// A cell for machines: nothing, a number or text.
using Value = std::variant<std::monostate, double, long long, std::string>;

/// Rows of named cells. Column names carry their unit.
struct Records {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
};

}  // namespace tofn
