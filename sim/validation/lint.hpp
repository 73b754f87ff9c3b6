#pragma once

#include <string>

#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace validation {

/// Faults of a table by physics that needs no cluster; both empty if there are none.
struct Faults {
  std::string impossible;  ///< a unit or a bandwidth that no machine has: no fit may use the table
  std::string unsteady;    ///< a row far below its neighbours: a bad run, or a slow band of sizes
  const std::string& first() const { return impossible.empty() ? unsteady : impossible; }
};
Faults faults_of(const CollectiveTable& table);

}  // namespace validation
}  // namespace tofn
