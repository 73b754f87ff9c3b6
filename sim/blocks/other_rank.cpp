#include <thread>

#include <fmt/format.h>

#include "sim/blocks/journal.hpp"
#include "sim/blocks/rank_part.hpp"

namespace tofn {
inline namespace blocks {
namespace {

constexpr std::chrono::milliseconds between_looks{5};

Message wait_for_message(Ranks& ranks) {
  while (true) {
    if (auto message = ranks.receive()) return std::move(*message);
    std::this_thread::sleep_for(between_looks);
  }
}

}  // namespace

void run_other_rank(const RankPart& part) {
  Ranks& ranks = *part.ranks;
  const Message begin = wait_for_message(ranks);
  if (begin.kind == MessageKind::Stop) return;
  const Journal journal = parse_journal(begin.text);
  BlockShare share{.first = journal.entries.at(0).blocks,
                   .end = block_count(part.job),
                   .rank = static_cast<std::uint64_t>(ranks.rank()),
                   .ranks = static_cast<std::uint64_t>(ranks.size())};
  std::optional<Failure> failure;
  if (const auto differs = difference(part.identity, journal.identity)) {
    failure = {
        .exit_code = 2,
        .text = fmt::format("rank {} has another sweep than rank 0: {}", ranks.rank(), *differs)};
    share.end = 0;
  }
  WorkerPool worker_pool(part.options.threads, part.job.make_worker, share);
  bool is_stopped = false;
  while (true) {
    if (!is_stopped) is_stopped = ranks.receive().has_value();
    if (const int signal = part.interruption.signal(); signal != 0 && !failure)
      failure = failure_of_signal(signal);
    if (!failure) failure = worker_pool.failure();
    if (is_stopped || failure) worker_pool.stop();
    // Send one message at a time; blocks wait here until the first rank can take them.
    if (!ranks.has_sent())
      std::this_thread::sleep_for(between_looks);
    else if (const auto blocks = worker_pool.take(between_looks); !blocks.empty())
      ranks.send(0, MessageKind::Rows, text_of(blocks));
    else if ((is_stopped || failure) && worker_pool.has_ended())
      break;
  }
  ranks.send(0, MessageKind::End, failure ? text_of(*failure) : "");
  if (!is_stopped) wait_for_message(ranks);
}

}  // namespace blocks
}  // namespace tofn
