#pragma once

#include "sim/options/manual.hpp"

namespace tofn::bench {

/// The manual of `tofn-bench`, made from its commands and their options.
Manual program_manual();

}  // namespace tofn::bench
