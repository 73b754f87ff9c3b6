#pragma once

#include <string>
#include <string_view>

namespace tofn {

/// A double-quoted scalar, in which YAML gives no character but these a meaning.
std::string yaml_text(std::string_view text);

}  // namespace tofn
