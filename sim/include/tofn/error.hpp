#pragma once

#include <stdexcept>
#include <string>

namespace tofn {

/// What the command `tofn` would say on standard error before it ends without an answer:
/// `FILE:LINE:COLUMN: KEY: what is wrong`, with the valid choices where there are such.
class Error : public std::runtime_error {
 public:
  Error(const std::string& what, int code) : std::runtime_error(what), exit_code_(code) {}

  /// The command's: 2 for a mistake in what was asked, 1 for a failure of tofn or of the machine.
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace tofn
