#include "sim/blocks/other_rank.hpp"

#include <cstddef>
#include <deque>
#include <utility>

#include "sim/blocks/messages.hpp"
#include "sim/blocks/worker_pool.hpp"

namespace tofn {
inline namespace blocks {
namespace {

constexpr std::chrono::milliseconds between_looks{5};
constexpr std::size_t report_bytes = 16 << 20;  // about; at least one block

class OtherRank {
 public:
  OtherRank(const BlockJob& job, int threads, Ranks& ranks, Interruption& interruption)
      : ranks_(ranks),
        interruption_(interruption),
        threads_(static_cast<std::uint64_t>(threads)),
        worker_pool_(threads, job.make_worker) {}

  void run(const std::string& identity) {
    send({.threads = threads_, .wanted = worker_pool_.wanted(), .identity = identity});
    while (!said_.is_last) {
      for (FinishedBlock& block : worker_pool_.take(between_looks))
        finished_.push_back(std::move(block));
      while (const auto message = ranks_.receive()) obey(order_of(message->bytes));
      if (ranks_.has_sent()) report();
    }
  }

 private:
  void obey(const Order& order) {
    worker_pool_.give(order.blocks);
    if (!order.ends) return;
    ends_ = true;
    worker_pool_.drop_waiting();
  }

  /// Sends what is new, where anything is.
  void report() {
    Report next{.threads = threads_,
                .wanted = worker_pool_.wanted(),
                .signal = interruption_.signal(),
                .failure = worker_pool_.failure()};
    next.is_last = ends_ && worker_pool_.is_idle();
    std::size_t bytes = 0;
    while (!finished_.empty() && bytes < report_bytes) {
      bytes += finished_.front().rows.size();
      next.blocks.push_back(std::move(finished_.front()));
      finished_.pop_front();
    }
    next.is_last = next.is_last && finished_.empty();
    const bool is_new = !next.blocks.empty() || next.is_last || next.wanted != said_.wanted ||
                        next.signal != said_.signal ||
                        next.failure.has_value() != said_.failure.has_value();
    if (is_new) send(std::move(next));
  }

  void send(Report report) {
    ranks_.send(0, to_bytes(report));
    said_ = std::move(report);
    said_.blocks.clear();
  }

  Ranks& ranks_;
  Interruption& interruption_;
  std::uint64_t threads_;
  WorkerPool worker_pool_;
  std::deque<FinishedBlock> finished_;
  Report said_;
  bool ends_ = false;
};

}  // namespace

void run_other_rank(const BlockJob& job, int threads, const std::string& identity, Ranks& ranks,
                    Interruption& interruption) {
  OtherRank(job, threads, ranks, interruption).run(identity);
}

}  // namespace blocks
}  // namespace tofn
