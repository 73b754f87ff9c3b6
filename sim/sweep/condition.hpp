#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/sweep/sweep_file.hpp"

namespace tofn {
inline namespace sweep {

/// A constraint such as `tp * pp <= 64 && fits_memory`: arithmetic and comparisons over names of
/// numeric columns and axes (muParser's syntax, and `%` for the remainder).
class Condition {
 public:
  /// Parses a constraint over the names in `known`. InputError with its place in the sweep file if
  /// it is no expression or uses another name.
  Condition(const SweepText&, const std::vector<std::string>& known);
  ~Condition();
  Condition(Condition&&) noexcept;
  Condition& operator=(Condition&&) = delete;

  /// Names that the constraint uses.
  const std::vector<std::string>& names() const { return names_; }
  /// Evaluates the constraint with a value for each of `names`, in their order.
  bool holds(const std::vector<double>& values) const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<std::string> names_;
};

}  // namespace sweep
}  // namespace tofn
