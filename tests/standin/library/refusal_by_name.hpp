#pragma once

#include <string>

namespace tofn::standin {

/// Ends the process with one line that names the call and says why the stand-in cannot emulate it.
[[noreturn]] void refuse(const std::string& call, const std::string& why);

}  // namespace tofn::standin
