#pragma once

#include <string>
#include <string_view>

#include "sim/core/error.hpp"

namespace tofn {

/// An error followed by lines to copy, each indented by four spaces.
class InputErrorWithLines : public InputError {
 public:
  InputErrorWithLines(const Location&, std::string_view key, std::string_view problem,
                      std::string_view lines);

  const char* what() const noexcept override { return whole_.c_str(); }

 private:
  std::string whole_;
};

}  // namespace tofn
