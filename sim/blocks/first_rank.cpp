#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "sim/blocks/journal.hpp"
#include "sim/blocks/output_file.hpp"
#include "sim/blocks/progress_line.hpp"
#include "sim/blocks/rank_part.hpp"

namespace tofn {
inline namespace blocks {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds patience{5};
// After a rank has died, mpirun sends SIGTERM, and SIGKILL a second later. This leaves time to
// report what is kept.
constexpr std::chrono::milliseconds patience_with_others{500};

/// Points of the blocks before `block`.
std::uint64_t points_before(const BlockJob& job, std::uint64_t block) {
  return std::min(job.points, block * job.points_per_block);
}

/// Blocks that came from one rank and were not yet passed on.
struct Arrivals {
  std::deque<std::string> blocks;
  bool has_ended = false;  ///< no more will come
};

class FirstRank {
 public:
  FirstRank(const RankPart& part, RowSink& sink)
      : part_(part),
        sink_(sink),
        arrivals_(part.ranks == nullptr ? 1 : static_cast<std::size_t>(part.ranks->size())),
        next_(sink.first_block()),
        worker_pool_(part.options.threads, part.job.make_worker,
                     {.first = next_, .end = end_, .ranks = arrivals_.size()}) {
    progress_ = {.points = part.job.points, .done = points_before(part.job, next_)};
    progress_.resumed = progress_.done;
    if (part.ranks != nullptr)
      part.ranks->send_to_others(MessageKind::Begin,
                                 journal_lines(part.identity) + journal_line({.blocks = next_}));
  }

  BlockOutcome run() {
    while (!failure_ && next_ < end_) {
      pass_on();
      watch();
    }
    progress_.is_stopping = failure_.has_value();
    // Flush now, so that the rows are safe even if the user kills the process before the last
    // blocks end.
    flush(true);
    worker_pool_.stop();
    if (part_.ranks != nullptr) part_.ranks->send_to_others(MessageKind::Stop, "");
    const auto stopped = Clock::now();
    while (others_run() || !worker_pool_.has_ended()) {
      pass_on();
      if (is_cut_off()) drop_rest();
      watch();
      if (part_.interruption.signal() == 0 || !others_run() ||
          Clock::now() < stopped + patience_with_others)
        continue;
      part_.ranks->abandon();
      break;
    }
    flush(true);
    return outcome();
  }

 private:
  bool others_run() const {
    return !std::all_of(arrivals_.begin() + 1, arrivals_.end(),
                        [](const Arrivals& of) { return of.has_ended; });
  }

  /// Passes on the next blocks that have arrived; receives at most once.
  void pass_on() {
    for (bool has_received = false; next_ < end_; ++next_) {
      const std::size_t rank = next_ % arrivals_.size();
      std::deque<std::string>& blocks = arrivals_[rank].blocks;
      if (blocks.empty() && !std::exchange(has_received, true)) receive(rank);
      if (blocks.empty()) return;
      write([&] { sink_.append(blocks.front()); });
      blocks.pop_front();
      progress_.done = points_before(part_.job, next_ + 1);
    }
  }

  void receive(std::size_t rank) {
    if (rank == 0) {
      arrivals_[0].blocks = worker_pool_.take(patience);
      arrivals_[0].has_ended = arrivals_[0].blocks.empty() && worker_pool_.has_ended();
      if (arrivals_[0].has_ended && worker_pool_.failure()) fail(*worker_pool_.failure());
    } else if (const auto message = part_.ranks->receive(static_cast<int>(rank))) {
      accept(*message);
    } else {
      std::this_thread::sleep_for(patience);
    }
  }

  void accept(const Message& message) {
    Arrivals& arrivals = arrivals_[static_cast<std::size_t>(message.from)];
    if (message.kind == MessageKind::Rows) {
      arrivals.blocks = blocks_of(message.text);
    } else {
      arrivals.has_ended = true;
      if (!message.text.empty()) fail(failure_of(message.text));
    }
  }

  /// True if nothing more can be passed on: all was, or the next block will never come.
  bool is_cut_off() const {
    const Arrivals& next = arrivals_[next_ % arrivals_.size()];
    return next_ == end_ || (next.has_ended && next.blocks.empty());
  }

  void drop_rest() {
    worker_pool_.take(patience);
    while (part_.ranks != nullptr) {
      const auto message = part_.ranks->receive();
      if (!message) return;
      accept(*message);
    }
  }

  /// Checks for other reasons to end the run, and reports the progress.
  void watch() {
    flush(false);
    if (const int signal = part_.interruption.signal()) fail(failure_of_signal(signal));
    progress_.seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    if (part_.options.on_progress) part_.options.on_progress(progress_);
  }

  void fail(Failure failure) {
    if (!failure_) failure_ = std::move(failure);
  }

  void flush(bool now) {
    write([&] { sink_.flush(now); });
  }

  /// Writes unless writing has failed before: then the file stays as it is.
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

  BlockOutcome outcome() const {
    BlockOutcome outcome{.progress = progress_, .rows = sink_.rows()};
    // A signal after the last block interrupts nothing.
    if (next_ == end_ && (!failure_ || failure_->is_signal())) return outcome;
    outcome.exit_code = failure_->exit_code;
    outcome.message = failure_->text + "; " + holdings(part_.job, sink_);
    return outcome;
  }

  const RankPart& part_;
  RowSink& sink_;
  std::vector<Arrivals> arrivals_;  ///< indexed by rank
  std::uint64_t next_;              ///< block to pass on
  const std::uint64_t end_ = block_count(part_.job);
  WorkerPool worker_pool_;
  Clock::time_point start_ = Clock::now();
  BlockProgress progress_;
  std::optional<Failure> failure_;
  bool cannot_write_ = false;
};

}  // namespace

BlockOutcome run_first_rank(const RankPart& part, RowSink& sink) {
  return FirstRank(part, sink).run();
}

std::string holdings(const BlockJob& job, const RowSink& sink) {
  const auto kept = sink.kept();
  if (!kept) return "nothing is kept: only a run with a file of its own can be resumed";
  return fmt::format("{} of {} points are kept in {}, --resume goes on",
                     grouped(points_before(job, kept->blocks)), grouped(job.points), kept->file);
}

}  // namespace blocks
}  // namespace tofn
