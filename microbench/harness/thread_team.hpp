#pragma once

#include <barrier>
#include <functional>
#include <vector>

#include "microbench/harness/team.hpp"

namespace tofn::bench {

/// Data shared by the threads of one process.
class ThreadBoard {
 public:
  explicit ThreadBoard(int size);

 private:
  friend class ThreadTeam;
  std::barrier<> barrier_;
  std::vector<std::vector<double>> values_;  // by rank
  std::vector<std::string> texts_;
};

/// Ranks as threads of this process: one per GPU of a machine without MPI, or a single one.
class ThreadTeam : public Team {
 public:
  ThreadTeam(ThreadBoard& board, int rank) : board_(board), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(board_.texts_.size()); }
  void barrier() override { board_.barrier_.arrive_and_wait(); }
  void maximum(std::span<double> values) override;
  std::vector<std::string> gather(std::string_view mine) override;
  [[noreturn]] void abort(int exit_code) noexcept override;

 private:
  ThreadBoard& board_;
  int rank_;
};

/// Runs `work` on `size` threads (rank 0 on this one) and returns the largest exit code.
int run_threads(int size, const std::function<int(Team&)>& work);

}  // namespace tofn::bench
