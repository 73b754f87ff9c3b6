#pragma once

#include <string>
#include <vector>

#include "sim/answers/collective_candidates.hpp"

namespace tofn {
inline namespace report {

/// Of each table whose machine or placement is open the verdict on which its candidates agree, or
/// what it depends on, and a line for those of the same verdict, ranks and nodes.
std::string collective_candidates_text(const std::vector<OpenVerdict>&);

/// `give --cluster and --nodes`: what settles it.
std::string settling_options(const OpenVerdict&);

}  // namespace report
}  // namespace tofn
