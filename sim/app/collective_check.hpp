#pragma once

#include "sim/app/command.hpp"

namespace tofn {

/// `tofn collective --check LOG...`: whether measured collectives are what their clusters should
/// give. 0 where all are normal, 1 where one is not; files that cannot be read or placed are
/// InputErrors.
int check_collectives(const options::variables_map&, const CommonOptions&);

}  // namespace tofn
