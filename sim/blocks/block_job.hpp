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

/// The rows of one block as lines of CSV, each with its line feed; empty where no point of it makes
/// a row. The bytes depend on the block's number alone, and no cell holds a line break.
using BlockWorker = std::function<std::string(std::uint64_t block)>;

/// What a result depends on, e.g. {"sweep file", digest}: a run is resumed only with the same.
/// Neither holds a line break.
struct IdentityPart {
  std::string name;
  std::string value;
  bool operator==(const IdentityPart&) const = default;
};

/// Points 0, 1, ... cut into blocks of consecutive ones; the last block may be shorter. Best are
/// blocks that take some 10 ms and make less than 1 MB.
struct BlockJob {
  std::uint64_t points = 0;
  std::uint64_t points_per_block = 1;
  /// Makes the worker of one thread; called once per thread, never by two at a time.
  std::function<BlockWorker()> make_worker;
  /// The same on every rank; columns and numbers of points are added to it.
  std::vector<IdentityPart> identity;
  std::vector<OutputColumn> columns;
  ChooseRows choose{};
};

std::uint64_t block_count(const BlockJob&);

/// From `first` to before `end`.
struct PointRange {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
};
PointRange points_of(const BlockJob&, std::uint64_t block);

/// Of the whole job, over all threads and ranks.
struct BlockProgress {
  std::uint64_t points = 0;
  std::uint64_t done = 0;     ///< points
  std::uint64_t resumed = 0;  ///< of these, done by earlier runs
  double seconds = 0;         ///< since this run began
  bool is_stopping = false;   ///< waits only for the blocks that run
};

/// One under a launcher such as mpirun, else as many as this process may use processors.
int default_threads();

struct BlockOptions {
  int threads = default_threads();  ///< of each process
  /// Told some times a second on the main thread of the first rank.
  std::function<void(const BlockProgress&)> on_progress{};
};

/// How a run ended.
struct BlockOutcome {
  int exit_code = 0;      ///< 0 done, 130 or 143 interrupted, 1 a failure, 2 a mistake in the input
  std::string message{};  ///< one line why, and what is kept; empty when done, and on other ranks
  bool is_first_rank = true;  ///< only this one speaks
  BlockProgress progress{};
  std::uint64_t rows = 0;
};

/// A file of rows; while it is being made `path`.part and `path`.journal lie beside it.
struct BlockFile {
  std::filesystem::path path;
  const OutputFormat* format = nullptr;
  bool resume = false;
};

/// Runs a job on threads, and on the ranks of mpirun where it started this process, which then all
/// call it. The same bytes come out whatever their number and however often it was resumed. Throws
/// InputError where the file may not be begun or resumed; what happens later is in the outcome.
BlockOutcome run_blocks(const BlockJob&, const BlockFile&, const BlockOptions&);

/// The same as CSV to a stream, as rows come; an interrupted run keeps nothing.
BlockOutcome run_blocks(const BlockJob&, std::ostream&, const BlockOptions&);

}  // namespace blocks
}  // namespace tofn
