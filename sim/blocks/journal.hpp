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

/// What lay safely on the disk at one time.
struct JournalEntry {
  std::uint64_t blocks = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;  ///< of the file of rows, its header included
  std::string digest{};     ///< of these bytes
};

/// The sound lines of a journal. Every line begins with the digest of its rest; a torn or broken
/// one is left out.
struct Journal {
  std::vector<IdentityPart> identity{};
  std::vector<JournalEntry> entries{};
  bool is_finished = false;  ///< the file that was asked for is made
};
Journal parse_journal(std::string_view text);

/// Lines, each with its line feed.
std::string journal_lines(std::span<const IdentityPart> identity);
std::string journal_line(const JournalEntry&);
std::string journal_finished_line();

/// `sweep file 3f00 instead of 12ab`: the first part in which two identities differ.
std::optional<std::string> difference(std::span<const IdentityPart> found,
                                      std::span<const IdentityPart> wanted);

}  // namespace blocks
}  // namespace tofn
