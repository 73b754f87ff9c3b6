#pragma once

#include <stdexcept>
#include <string>

namespace tofn {

/// The message that the command `tofn` prints on standard error before it ends without an answer:
/// `FILE:LINE:COLUMN: KEY: what is wrong`, with the valid choices if there are any.
class Error : public std::runtime_error {
 public:
  Error(const std::string& what, int code) : std::runtime_error(what), exit_code_(code) {}

  /// Exit code of the command: 2 for a mistake in the request, 1 for an answer of no (no plan fits)
  /// or for a failure of tofn or of the machine.
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace tofn
