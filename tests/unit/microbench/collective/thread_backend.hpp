#pragma once

#include <barrier>
#include <cassert>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>

#include "microbench/collective/backend.hpp"
#include "microbench/harness/host_buffer.hpp"
#include "microbench/harness/thread_team.hpp"

namespace tofn::test {

/// State that the threads of one group share.
struct GroupBoard {
  explicit GroupBoard(int size) : calls(static_cast<std::size_t>(size)), barrier(size) {}
  std::vector<bench::Call> calls;
  std::barrier<> barrier;
};

/// Changes the data that a call left on a rank, as a broken network would.
using Damage = std::function<void(bench::Member, std::byte* received, std::size_t bytes)>;

/// Collectives between threads, element by element from Operation::origin; only fp32 is reduced.
class ThreadCommunicator : public bench::LibraryCommunicator {
 public:
  ThreadCommunicator(GroupBoard& board, bench::Member member, const Damage& damage)
      : board_(board), member_(member), damage_(damage) {}
  bench::Member member() const override { return member_; }
  std::unique_ptr<bench::Buffer> allocate(std::size_t bytes) override {
    return std::make_unique<bench::HostBuffer>(bytes);
  }

  bench::Elapsed run(const bench::Call& first, int calls) override {
    const double start = bench::host_seconds();
    board_.calls[static_cast<std::size_t>(member_.rank)] = first;
    for (int turn = 0; turn < calls; ++turn) {
      board_.barrier.arrive_and_wait();
      const auto result = result_of(first, (first.root + turn) % member_.size);
      board_.barrier.arrive_and_wait();
      std::memcpy(first.receive, result.data(), result.size());
      if (damage_) damage_(member_, static_cast<std::byte*>(first.receive), result.size());
    }
    board_.barrier.arrive_and_wait();
    return {.host = bench::host_seconds() - start, .device = {}};
  }

 private:
  const std::byte* element(std::size_t rank, std::size_t index) const {
    const bench::Call& call = board_.calls[rank];
    return static_cast<const std::byte*>(call.send) +
           index * static_cast<std::size_t>(call.type->bytes);
  }
  float sum(std::size_t index) const {
    float total = 0;
    for (std::size_t rank = 0; rank < board_.calls.size(); ++rank) {
      float value = 0;
      std::memcpy(&value, element(rank, index), sizeof value);
      total += value;
    }
    return total;
  }
  std::vector<std::byte> result_of(const bench::Call& call, int root) const {
    const bench::Operation& operation = *call.operation;
    const auto size = static_cast<std::size_t>(call.type->bytes);
    const bool is_whole = operation.has_chunks && !operation.receives_chunk;
    const std::size_t elements =
        call.chunk * (is_whole ? static_cast<std::size_t>(member_.size) : 1);
    std::vector<std::byte> result(elements * size);
    for (std::size_t index = 0; index < elements; ++index) {
      const bench::Origin origin = operation.origin(member_, index, call.chunk, root);
      if (origin.rank) {
        std::memcpy(&result[index * size],
                    element(static_cast<std::size_t>(*origin.rank), origin.index), size);
      } else {
        assert(call.type->name == "fp32");
        const float total = sum(origin.index);
        std::memcpy(&result[index * size], &total, sizeof total);
      }
    }
    return result;
  }

  GroupBoard& board_;
  bench::Member member_;
  const Damage& damage_;
};

/// State that the backends of all threads share: the boards of their groups, and the damage to
/// results.
struct ThreadNetwork {
  std::mutex mutex;
  std::map<int, std::unique_ptr<GroupBoard>> boards;
  Damage damage;
  double memory = 1e9;  ///< free bytes
};

class ThreadBackend : public bench::Backend {
 public:
  explicit ThreadBackend(ThreadNetwork& network) : network_(network) {}
  std::string name() const override { return "threads"; }
  std::string library() const override { return "tests"; }
  std::string memory() const override { return "host"; }
  std::optional<std::string> objection(const bench::Operation& operation,
                                       const bench::ElementType& type, bool) const override {
    if (operation.reduces && type.name != "fp32") return "threads reduce fp32 only";
    return {};
  }
  std::unique_ptr<bench::LibraryCommunicator> join(bench::Team& team,
                                                   std::optional<int> group) override {
    const auto groups = team.gather(group ? std::to_string(*group) : "");
    bench::Member member{.rank = 0, .size = 0};
    for (int rank = 0; rank < team.size(); ++rank) {
      if (!group || groups[static_cast<std::size_t>(rank)] != std::to_string(*group)) continue;
      if (rank < team.rank()) ++member.rank;
      ++member.size;
    }
    team.barrier();
    if (team.rank() == 0) network_.boards.clear();
    team.barrier();
    if (!group) return nullptr;
    const std::lock_guard lock(network_.mutex);
    auto& board = network_.boards[*group];
    if (!board) board = std::make_unique<GroupBoard>(member.size);
    return std::make_unique<ThreadCommunicator>(*board, member, network_.damage);
  }
  std::unique_ptr<bench::GradientReducer> gradient_reducer(bench::Team&, bool) override {
    return nullptr;
  }
  double free_memory() const override { return network_.memory; }
  std::size_t most_elements() const override { return 1000000; }

 private:
  ThreadNetwork& network_;
};

}  // namespace tofn::test
