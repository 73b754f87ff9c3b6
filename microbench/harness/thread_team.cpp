#include "microbench/harness/thread_team.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <thread>

namespace tofn::bench {

ThreadBoard::ThreadBoard(int size)
    : barrier_(size),
      values_(static_cast<std::size_t>(size)),
      texts_(static_cast<std::size_t>(size)) {}

void ThreadTeam::maximum(std::span<double> values) {
  if (size() == 1) return;
  board_.values_[static_cast<std::size_t>(rank_)].assign(values.begin(), values.end());
  barrier();
  for (const auto& theirs : board_.values_)
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::max(values[i], theirs[i]);
  barrier();  // so that no rank overwrites the values before all have read them
}

std::vector<std::string> ThreadTeam::gather(std::string_view mine) {
  board_.texts_[static_cast<std::size_t>(rank_)] = mine;
  barrier();
  auto all = board_.texts_;
  barrier();
  return all;
}

void ThreadTeam::abort(int exit_code) noexcept { std::_Exit(exit_code); }

int run_threads(int size, const std::function<int(Team&)>& work) {
  ThreadBoard board(size);
  std::vector<int> exit_codes(static_cast<std::size_t>(size));
  const auto run = [&](int rank) {
    ThreadTeam team(board, rank);
    exit_codes[static_cast<std::size_t>(rank)] = work(team);
  };
  std::vector<std::thread> threads;
  for (int rank = 1; rank < size; ++rank) threads.emplace_back(run, rank);
  run(0);
  for (auto& thread : threads) thread.join();
  return *std::max_element(exit_codes.begin(), exit_codes.end());
}

}  // namespace tofn::bench
