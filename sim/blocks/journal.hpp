#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/blocks/block_job.hpp"

namespace tofn {
inline namespace blocks {

/// State of the file of rows that was safely on the disk at one time.
struct JournalEntry {
  std::uint64_t blocks = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  ///< of the file of rows, with its header
  std::string digest{};     ///< of these bytes
};

/// The sound lines of a journal. Every line begins with the digest of its rest; torn and broken
/// lines are skipped.
struct Journal {
  std::vector<IdentityPart> identity{};
  std::vector<JournalEntry> entries{};
  bool is_finished = false;  ///< the requested file is complete
};
Journal parse_journal(std::string_view text);

/// Lines of a journal, each with its line feed.
std::string journal_lines(std::span<const IdentityPart> identity);
std::string journal_line(const JournalEntry&);
std::string journal_finished_line();

/// The first part in which two identities differ, such as `sweep file 3f00 instead of 12ab`.
std::optional<std::string> difference(std::span<const IdentityPart> found,
                                      std::span<const IdentityPart> wanted);

}  // namespace blocks
}  // namespace tofn
