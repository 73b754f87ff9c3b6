#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/evidence/log_candidates.hpp"

namespace tofn {
inline namespace answers {

/// A table that several machines or placements can be meant by, judged as each of them.
struct OpenVerdict {
  std::vector<JudgedTable> candidates;  ///< most likely first; those that their links exclude last
  std::string machine_by;               ///< what names the accelerator; empty: nothing
  std::vector<std::string> named{};     ///< clusters that the log's words point to

  /// Candidates that their links do not exclude, or all where none is left.
  std::vector<const JudgedTable*> possible() const;
  /// Whether all that is possible is normal; absent where candidates disagree or are undecided.
  std::optional<bool> is_normal() const;
  bool has_open_machine() const;
  bool has_open_ranks() const;
  bool has_open_nodes() const;
};

/// Judges a table as each of its candidates and orders them: a healthy machine is likelier than a
/// slow one, and one that the log's words point to likelier than others. A candidate without a
/// formula for these ranks is left out; InputError where none can be judged.
OpenVerdict judge_candidates(const TableCandidates&, const Knowledge&);

}  // namespace answers
}  // namespace tofn
