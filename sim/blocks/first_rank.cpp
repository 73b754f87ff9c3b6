#include "sim/blocks/first_rank.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "sim/blocks/in_order.hpp"
#include "sim/blocks/journal.hpp"
#include "sim/blocks/messages.hpp"
#include "sim/blocks/output_file.hpp"
#include "sim/blocks/progress_line.hpp"
#include "sim/blocks/work_queue.hpp"
#include "sim/blocks/worker_pool.hpp"

namespace tofn {
inline namespace blocks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds patience{5};
// When a rank has died mpirun sends SIGTERM, and a second later SIGKILL: time to say what is kept.
constexpr std::chrono::milliseconds patience_with_others{500};

/// Points of the blocks before `block`.
std::uint64_t points_before(const BlockJob& job, std::uint64_t block) {
  return std::min(job.points, block * job.points_per_block);
}

class FirstRank {
 public:
  FirstRank(const BlockJob& job, const BlockOptions& options,
            std::span<const IdentityPart> identity, RowSink& sink, Ranks* ranks,
            Interruption& interruption)
      : job_(job),
        options_(options),
        identity_(identity),
        sink_(sink),
        ranks_(ranks),
        interruption_(interruption),
        processes_(ranks == nullptr ? 1 : static_cast<std::size_t>(ranks->size())),
        worker_pool_(options.threads, job.make_worker),
        work_queue_({.first = sink.first_block(), .end = block_count(job)}, processes_),
        order_(sink.first_block()),
        others_at_work_(processes_ - 1) {
    progress_ = {.points = job.points, .done = points_before(job, sink.first_block())};
    progress_.resumed = progress_.done;
  }

  BlockOutcome run() {
    while (!failure_ && signal_ == 0 && order_.next() < block_count(job_)) {
      deal();
      collect();
      watch();
    }
    progress_.is_stopping = failure_ || signal_ != 0;
    // What is safe before the last blocks end is safe even if somebody loses patience.
    flush(true);
    worker_pool_.drop_waiting();
    order_others_to_end();
    const auto ended = Clock::now();
    while (others_at_work_ > 0 || !worker_pool_.is_idle()) {
      collect();
      watch();
      if (signal_ == 0 || !worker_pool_.is_idle() || Clock::now() < ended + patience_with_others)
        continue;
      ranks_->abandon();
      break;
    }
    flush(true);
    return outcome();
  }

 private:
  void deal() {
    work_queue_.ask(0, static_cast<std::uint64_t>(options_.threads), worker_pool_.wanted());
    // In turn, so that where memory is short nobody always comes last.
    for (std::size_t i = 0; i < processes_; ++i) {
      const std::size_t process = (first_to_serve_ + i) % processes_;
      const BlockRange blocks = work_queue_.deal(process, order_.held_bytes());
      if (blocks.first == blocks.end) continue;
      if (process == 0)
        worker_pool_.give(blocks);
      else
        ranks_->send(static_cast<int>(process), to_bytes(Order{.blocks = blocks}));
    }
    first_to_serve_ = (first_to_serve_ + 1) % processes_;
  }

  void collect() {
    for (FinishedBlock& block : worker_pool_.take(patience)) accept(0, std::move(block));
    if (ranks_ == nullptr) return;
    while (const auto message = ranks_->receive()) accept(message->from, report_of(message->bytes));
    ranks_->has_sent();  // moves on what is under way
  }

  void accept(int rank, Report report) {
    const auto process = static_cast<std::size_t>(rank);
    work_queue_.ask(process, report.threads, report.wanted);
    if (!report.identity.empty()) compare_identity(rank, report.identity);
    for (FinishedBlock& block : report.blocks) accept(process, std::move(block));
    if (report.failure && !failure_) failure_ = std::move(report.failure);
    if (signal_ == 0) signal_ = report.signal;
    if (report.is_last) --others_at_work_;
  }

  void accept(std::size_t process, FinishedBlock block) {
    work_queue_.take_back(process, block.rows.size());
    const PointRange points = points_of(job_, block.block);
    progress_.done += points.end - points.first;
    order_.accept(std::move(block),
                  [this](std::string_view rows) { write([&] { sink_.append(rows); }); });
  }

  void compare_identity(int rank, const std::string& lines) {
    const auto differs = difference(parse_journal(lines).identity, identity_);
    if (differs && !failure_)
      failure_ = {.exit_code = 2,
                  .text = fmt::format("rank {} has another sweep than rank 0: {}", rank, *differs)};
  }

  /// Looks at everything that may end the run, and tells how far it is.
  void watch() {
    flush(false);
    if (!failure_) failure_ = worker_pool_.failure();
    if (signal_ == 0) signal_ = interruption_.signal();
    progress_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (options_.on_progress) options_.on_progress(progress_);
  }

  void flush(bool now) {
    write([&] { sink_.flush(now); });
  }

  /// Once writing has failed nothing more is written: what is there stays as it is.
  template <class Write>
  void write(const Write& write) {
    if (cannot_write_) return;
    try {
      write();
    } catch (const WriteError& error) {
      cannot_write_ = true;
      failure_ = {.exit_code = 1, .text = error.what()};
    }
  }

  void order_others_to_end() {
    for (std::size_t process = 1; process < processes_; ++process)
      ranks_->send(static_cast<int>(process), to_bytes(Order{.ends = true}));
  }

  BlockOutcome outcome() const {
    BlockOutcome outcome{.progress = progress_, .rows = sink_.rows()};
    if (order_.next() == block_count(job_) && !failure_) return outcome;
    outcome.exit_code = failure_ ? failure_->exit_code : exit_code_of_signal(signal_);
    outcome.message =
        (failure_ ? failure_->text : text_of_signal(signal_)) + "; " + holdings(job_, sink_);
    return outcome;
  }

  const BlockJob& job_;
  const BlockOptions& options_;
  std::span<const IdentityPart> identity_;
  RowSink& sink_;
  Ranks* ranks_;
  Interruption& interruption_;
  std::size_t processes_;
  WorkerPool worker_pool_;
  WorkQueue work_queue_;
  InOrder order_;
  std::size_t others_at_work_;
  std::size_t first_to_serve_ = 0;
  Clock::time_point start_ = Clock::now();
  BlockProgress progress_;
  std::optional<Failure> failure_;
  bool cannot_write_ = false;
  int signal_ = 0;
};

}  // namespace

BlockOutcome run_first_rank(const BlockJob& job, const BlockOptions& options,
                            std::span<const IdentityPart> identity, RowSink& sink, Ranks* ranks,
                            Interruption& interruption) {
  return FirstRank(job, options, identity, sink, ranks, interruption).run();
}

void dismiss(Ranks& ranks) {
  for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, to_bytes(Order{.ends = true}));
  for (int left = ranks.size() - 1; left > 0;) {
    const auto message = ranks.receive();
    if (message && report_of(message->bytes).is_last) --left;
    if (!message) std::this_thread::sleep_for(patience);
  }
}

std::string holdings(const BlockJob& job, const RowSink& sink) {
  const auto kept = sink.kept();
  if (!kept) return "nothing is kept: only a run with a file of its own can be resumed";
  return fmt::format("{} of {} points are kept in {}, --resume goes on",
                     grouped(points_before(job, kept->blocks)), grouped(job.points), kept->file);
}

}  // namespace blocks
}  // namespace tofn
