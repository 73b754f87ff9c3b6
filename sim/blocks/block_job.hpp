#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

#include "sim/blocks/formats.hpp"

namespace tofn {
inline namespace blocks {

/// Returns the rows of one block as lines of CSV, each with its line feed; empty if none of its
/// points makes a row. The bytes depend only on the block's number, and no cell has a line break.
using BlockWorker = std::function<std::string(std::uint64_t block)>;

/// One input that a result depends on, e.g. {"sweep file", digest}. A run is resumed only if all
/// are equal. Neither member has a line break.
struct IdentityPart {
  std::string name;
  std::string value;
  bool operator==(const IdentityPart&) const = default;
};

/// Points 0, 1, ... in blocks of consecutive ones; the last block may be shorter. The best blocks
/// take about 10 ms and make less than 1 MB.
struct BlockJob {
  std::uint64_t points = 0;
  std::uint64_t points_per_block = 1;
  /// Makes the worker of one thread. Called once per thread, one call at a time.
  std::function<BlockWorker()> make_worker;
  /// Must be equal on every rank; columns and numbers of points are added to it.
  std::vector<IdentityPart> identity;
  std::vector<OutputColumn> columns;
  ChooseRows choose{};
};

std::uint64_t block_count(const BlockJob&);

/// Points from `first` to before `end`.
struct PointRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};
PointRange points_of(const BlockJob&, std::uint64_t block);

/// Progress of the whole job, over all threads and ranks.
struct BlockProgress {
  std::uint64_t points = 0;
  std::uint64_t done = 0;     ///< points
  std::uint64_t resumed = 0;  ///< points of `done` from earlier runs
  double seconds = 0;         ///< since this run began
  bool is_stopping = false;   ///< waits only for running blocks
};

/// One under a launcher such as mpirun, else the number of processors that this process may use.
int default_threads();

struct BlockOptions {
  int threads = default_threads();  ///< per process
  /// Called several times a second on the main thread of the first rank.
  std::function<void(const BlockProgress&)> on_progress{};
};

/// Result of a run.
struct BlockOutcome {
  int exit_code = 0;      ///< 0 done, 130 or 143 interrupted, 1 a failure, 2 a mistake in the input
  std::string message{};  ///< one line: the reason, and what is kept; empty if done, and on other
                          ///< ranks
  bool is_first_rank = true;  ///< only the first rank prints
  BlockProgress progress{};
  std::uint64_t rows = 0;
};

/// A file of rows. Until it is finished, `path`.part and `path`.journal are beside it.
struct BlockFile {
  std::filesystem::path path;
  const OutputFormat* format = nullptr;
  bool resume = false;
};

/// Runs a job on threads, and on the ranks of mpirun if it started this process; then all ranks
/// must call it. The bytes depend neither on their numbers nor on how often the job was resumed.
/// InputError if the file may not be begun or resumed; later failures are in the outcome.
BlockOutcome run_blocks(const BlockJob&, const BlockFile&, const BlockOptions&);

/// Runs a job and writes its rows as CSV to a stream as they come; an interrupted run keeps
/// nothing.
BlockOutcome run_blocks(const BlockJob&, std::ostream&, const BlockOptions&);

}  // namespace blocks
}  // namespace tofn
