#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/evidence/log_candidates.hpp"

namespace tofn {
inline namespace answers {

/// A table that fits several machines or placements, judged as each of them.
struct OpenVerdict {
  std::vector<JudgedTable> candidates;  ///< most likely first; those excluded by their links last
  std::string machine_by;               ///< source that names the accelerator; empty if none does
  std::vector<std::string> named{};     ///< clusters that the words of the log point to

  /// Returns the candidates that their links do not exclude, or all if they exclude every one.
  std::vector<const JudgedTable*> possible() const;
  /// True if all possible candidates are normal; absent if they disagree or are undecided.
  std::optional<bool> is_normal() const;
  bool has_open_machine() const;
  bool has_open_ranks() const;
  bool has_open_nodes() const;
};

/// Judges a table as each of its candidates and orders them: a healthy machine is likelier than a
/// slow one, and one that the words of the log point to is likelier than others. Leaves out
/// candidates without a formula for these ranks; InputError if none can be judged.
OpenVerdict judge_candidates(const TableCandidates&, const Knowledge&);

}  // namespace answers
}  // namespace tofn
