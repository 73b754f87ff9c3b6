#pragma once

#include <string>

namespace tofn::standin {

/// Ends the process with one line that names the call, which the stand-in does not emulate as
/// asked.
[[noreturn]] void refuse(const std::string& call, const std::string& why);

}  // namespace tofn::standin
