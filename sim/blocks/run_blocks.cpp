#include <algorithm>
#include <cassert>
#include <exception>
#include <memory>
#include <thread>

#include <fmt/format.h>
#include <sched.h>

#include "sim/blocks/block_job.hpp"
#include "sim/blocks/journal.hpp"
#include "sim/blocks/rank_part.hpp"
#include "sim/blocks/spool.hpp"
#include "sim/core/digest.hpp"
#include "sim/core/launcher.hpp"

namespace tofn {
inline namespace blocks {
namespace {

std::vector<IdentityPart> whole_identity(const BlockJob& job) {
  std::string types;
  for (const OutputColumn& column : job.columns)
    types += std::to_string(static_cast<int>(column.type));
  std::vector<IdentityPart> identity = job.identity;
  identity.push_back({.name = "columns", .value = digest_of(csv_header(job.columns) + types)});
  identity.push_back({.name = "number of points", .value = std::to_string(job.points)});
  identity.push_back({.name = "points per block", .value = std::to_string(job.points_per_block)});
  return identity;
}

/// Writes rows to a stream; nothing outlives the process.
class RowStream : public RowSink {
 public:
  RowStream(std::ostream& stream, std::string_view header) : stream_(stream) { stream_ << header; }

  void append(std::string_view rows) override {
    stream_ << rows;
    rows_ += static_cast<std::uint64_t>(std::ranges::count(rows, '\n'));
  }

  void flush(bool) override {
    stream_.flush();
    if (!stream_) throw WriteError("the answer", "the output was closed or is full");
  }

  std::uint64_t rows() const override { return rows_; }

 private:
  std::ostream& stream_;
  std::uint64_t rows_ = 0;
};

/// Runs this process's part of the job; `begin` makes the sink on the first rank.
BlockOutcome run_part(const BlockJob& job, const BlockOptions& options, Interruption& interruption,
                      const std::function<RowSink&()>& begin) {
  assert(job.points_per_block > 0 && options.threads > 0);
  const std::unique_ptr<Ranks> ranks = Ranks::join();
  const RankPart part{job, options, whole_identity(job), ranks.get(), interruption};
  RowSink* sink = nullptr;
  if (!ranks || ranks->rank() == 0) try {
      sink = &begin();
    } catch (...) {
      if (ranks) ranks->send_to_others(MessageKind::Stop, "");
      throw;
    }
  try {
    if (sink != nullptr) return run_first_rank(part, *sink);
    run_other_rank(part);
    return {.is_first_rank = false};
  } catch (...) {
    if (ranks) ranks->abandon();
    throw;
  }
}

/// Makes the requested file once all rows are there.
void finish(const BlockJob& job, const BlockFile& file, Spool& spool, Interruption& interruption,
            BlockOutcome& outcome) {
  try {
    if (spool.finish(
            *file.format, job.columns, [&] { return interruption.signal() != 0; }, job.choose))
      return;
    const Failure failure = failure_of_signal(interruption.signal());
    outcome.exit_code = failure.exit_code;
    outcome.message = failure.text;
  } catch (const std::exception&) {  // a full disk, a folder that vanished, no memory
    outcome.exit_code = 1;
    outcome.message = failure_of(std::current_exception()).text;
  }
  outcome.message += "; " + holdings(job, spool);
}

}  // namespace

int default_threads() {
  if (launcher()) return 1;
#ifdef __linux__
  cpu_set_t usable;
  CPU_ZERO(&usable);
  if (sched_getaffinity(0, sizeof usable, &usable) == 0) return CPU_COUNT(&usable);
#endif
  return static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

std::uint64_t block_count(const BlockJob& job) {
  return job.points / job.points_per_block + (job.points % job.points_per_block > 0 ? 1 : 0);
}

PointRange points_of(const BlockJob& job, std::uint64_t block) {
  const std::uint64_t first = block * job.points_per_block;
  return {.first = first, .end = std::min(job.points, first + job.points_per_block)};
}

BlockOutcome run_blocks(const BlockJob& job, const BlockFile& file, const BlockOptions& options) {
  Interruption interruption;
  std::optional<Spool> spool;
  try {
    BlockOutcome outcome = run_part(job, options, interruption, [&]() -> RowSink& {
      return spool.emplace(file.path, whole_identity(job), csv_header(job.columns), file.resume);
    });
    if (spool && outcome.exit_code == 0) finish(job, file, *spool, interruption, outcome);
    return outcome;
  } catch (const WriteError& error) {  // while writing the first lines
    return {.exit_code = 1, .message = error.what()};
  }
}

BlockOutcome run_blocks(const BlockJob& job, std::ostream& stream, const BlockOptions& options) {
  Interruption interruption;
  std::optional<RowStream> rows;
  return run_part(job, options, interruption,
                  [&]() -> RowSink& { return rows.emplace(stream, csv_header(job.columns)); });
}

}  // namespace blocks
}  // namespace tofn
