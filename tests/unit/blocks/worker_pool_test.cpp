#include "sim/blocks/worker_pool.hpp"

#include <atomic>
#include <set>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace std::chrono_literals;

namespace {

std::function<BlockWorker()> workers(BlockWorker worker) {
  return [worker = std::move(worker)] { return worker; };
}

std::vector<FinishedBlock> take_all(WorkerPool& worker_pool) {
  std::vector<FinishedBlock> all;
  while (!worker_pool.is_idle() && !worker_pool.failure())
    for (FinishedBlock& block : worker_pool.take(10ms)) all.push_back(std::move(block));
  return all;
}

}  // namespace

TEST_CASE("a crew runs every block that it is given once") {
  WorkerPool worker_pool(3,
                         workers([](std::uint64_t block) { return std::to_string(block) + "\n"; }));
  CHECK(worker_pool.is_idle());
  worker_pool.give({.first = 5, .end = 105});
  std::set<std::string> rows;
  for (const FinishedBlock& block : take_all(worker_pool)) {
    CHECK(block.rows == std::to_string(block.block) + "\n");
    CHECK(rows.insert(block.rows).second);
  }
  CHECK(rows.size() == 100);
  CHECK(rows.count("5\n") == 1);
  CHECK(rows.count("104\n") == 1);
}

TEST_CASE("each thread has a worker of its own, made on the calling thread") {
  const auto here = std::this_thread::get_id();
  int made = 0;
  WorkerPool worker_pool(3, [&]() -> BlockWorker {
    CHECK(std::this_thread::get_id() == here);
    ++made;
    return [](std::uint64_t) { return ""; };
  });
  CHECK(made == 3);
}

TEST_CASE("the first exception is a failure, and nothing more is begun") {
  WorkerPool worker_pool(1, workers([](std::uint64_t block) -> std::string {
                           if (block == 2) throw InputError("block 2: no");
                           return "";
                         }));
  worker_pool.give({.first = 0, .end = 10});
  while (!worker_pool.failure()) worker_pool.take(10ms);
  CHECK(worker_pool.failure()->text == "block 2: no");
  CHECK(worker_pool.failure()->exit_code == 2);
  CHECK(worker_pool.wanted() == 0);
  worker_pool.give({.first = 10, .end = 20});
  worker_pool.take(0ms);
  while (!worker_pool.is_idle()) worker_pool.take(10ms);
}

TEST_CASE("a worker that cannot be made is a failure too") {
  const WorkerPool worker_pool(2,
                               []() -> BlockWorker { throw std::runtime_error("out of files"); });
  REQUIRE(worker_pool.failure());
  CHECK(worker_pool.failure()->text == "out of files");
  CHECK(worker_pool.failure()->exit_code == 1);
}

TEST_CASE("dropped blocks are not begun, those that run are finished") {
  std::atomic<bool> may_end = false;
  std::atomic<int> begun = 0;
  WorkerPool worker_pool(1, workers([&](std::uint64_t) {
                           ++begun;
                           while (!may_end) std::this_thread::sleep_for(1ms);
                           return std::string("x\n");
                         }));
  worker_pool.give({.first = 0, .end = 10});
  while (begun == 0) std::this_thread::sleep_for(1ms);
  worker_pool.drop_waiting();
  may_end = true;
  CHECK(take_all(worker_pool).size() == 1);
  CHECK(begun == 1);
}

TEST_CASE("the shorter the blocks, the more lie ready") {
  WorkerPool worker_pool(2, workers([](std::uint64_t block) {
                           if (block < 8) std::this_thread::sleep_for(300ms);
                           return std::string();
                         }));
  CHECK(worker_pool.wanted() == 4);  // one that runs and one that waits, a thread
  worker_pool.give({.first = 0, .end = 2});
  take_all(worker_pool);
  CHECK(worker_pool.wanted() == 4);  // 0.3 s each: one ahead is 0.25 s and more
  worker_pool.give({.first = 100, .end = 300});
  take_all(worker_pool);
  CHECK(worker_pool.wanted() > 100);
}
