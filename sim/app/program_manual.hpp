#pragma once

#include "sim/options/manual.hpp"

namespace tofn {
inline namespace app {

/// Manual of `tofn`, made from its commands and their options.
Manual program_manual();

}  // namespace app
}  // namespace tofn
