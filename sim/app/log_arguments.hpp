#pragma once

#include <string>

#include "sim/options/option.hpp"

namespace tofn {
inline namespace app {

/// Adds to the options those that mean what the log states about its job: arguments in its dump,
/// and sentences about precision and recomputation. A remark on standard error names them.
/// InputError if the log contradicts an option.
options::variables_map with_log_arguments(options::variables_map, const std::string& text,
                                          const std::string& file);

}  // namespace app
}  // namespace tofn
