#include "sim/blocks/worker_pool.hpp"

#include <atomic>
#include <csignal>

#include "sim/core/error.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace std::chrono_literals;

namespace {

std::function<BlockWorker()> workers(BlockWorker worker) {
  return [worker = std::move(worker)] { return worker; };
}

std::string number_of(std::uint64_t block) { return std::to_string(block) + "\n"; }

/// All rows until the pool has no more.
std::string take_all(WorkerPool& worker_pool) {
  std::string all;
  while (!worker_pool.has_ended())
    for (const std::string& rows : worker_pool.take(10ms)) all += rows;
  return all;
}

}  // namespace

TEST_CASE("in whatever order blocks end, their rows are taken in that of their numbers") {
  WorkerPool worker_pool(3, workers([](std::uint64_t block) {
                           if (block % 7 == 0) std::this_thread::sleep_for(2ms);
                           return number_of(block);
                         }),
                         {.first = 5, .end = 105});
  std::string expected;
  for (std::uint64_t block = 5; block < 105; ++block) expected += number_of(block);
  CHECK(take_all(worker_pool) == expected);
  CHECK(worker_pool.take(0ms).empty());
  CHECK_FALSE(worker_pool.failure());
}

TEST_CASE("ranks share the blocks by their numbers, wherever they begin") {
  const auto of = [](BlockShare share) {
    WorkerPool worker_pool(2, workers(number_of), share);
    return take_all(worker_pool);
  };
  CHECK(of({.first = 0, .end = 8, .rank = 0, .ranks = 3}) == "0\n3\n6\n");
  CHECK(of({.first = 0, .end = 8, .rank = 2, .ranks = 3}) == "2\n5\n");
  CHECK(of({.first = 4, .end = 9, .rank = 0, .ranks = 3}) == "6\n");
  CHECK(of({.first = 4, .end = 9, .rank = 1, .ranks = 3}) == "4\n7\n");
  CHECK(of({.first = 4, .end = 5, .rank = 0, .ranks = 3}).empty());
}

TEST_CASE("each thread has a worker of its own, made on the calling thread") {
  const auto here = std::this_thread::get_id();
  int made = 0;
  WorkerPool worker_pool(3,
                         [&]() -> BlockWorker {
                           CHECK(std::this_thread::get_id() == here);
                           ++made;
                           return number_of;
                         },
                         {});
  CHECK(made == 3);
}

TEST_CASE("an exception is a failure: nothing more is begun, and what is before it can be taken") {
  WorkerPool worker_pool(1, workers([](std::uint64_t block) {
                           if (block == 2) throw InputError("block 2: no");
                           return number_of(block);
                         }),
                         {.end = 10});
  CHECK(take_all(worker_pool) == "0\n1\n");
  REQUIRE(worker_pool.failure());
  CHECK(worker_pool.failure()->text == "block 2: no");
  CHECK(worker_pool.failure()->exit_code == 2);
}

TEST_CASE("of several failures that of the first block counts, whichever comes first") {
  const std::uint64_t later = GENERATE(0, 1);
  std::atomic<int> begun = 0;
  WorkerPool worker_pool(2, workers([&](std::uint64_t block) -> std::string {
                           ++begun;
                           while (begun < 2) std::this_thread::sleep_for(1ms);
                           if (block == later) std::this_thread::sleep_for(20ms);
                           throw InputError(std::to_string(block));
                         }),
                         {.end = 2});
  CHECK(take_all(worker_pool).empty());
  CHECK(worker_pool.failure()->text == "0");
}

TEST_CASE("a worker that cannot be made is a failure too") {
  const WorkerPool worker_pool(2, []() -> BlockWorker { throw std::runtime_error("out of files"); },
                               {.end = 10});
  REQUIRE(worker_pool.failure());
  CHECK(worker_pool.has_ended());
  CHECK(worker_pool.failure()->text == "out of files");
  CHECK(worker_pool.failure()->exit_code == 1);
}

TEST_CASE("stopped, no blocks are begun, and those that run are finished") {
  std::atomic<bool> may_end = false;
  std::atomic<int> begun = 0;
  WorkerPool worker_pool(1, workers([&](std::uint64_t block) {
                           ++begun;
                           while (!may_end) std::this_thread::sleep_for(1ms);
                           return number_of(block);
                         }),
                         {.end = 10});
  while (begun == 0) std::this_thread::sleep_for(1ms);
  worker_pool.stop();
  CHECK_FALSE(worker_pool.has_ended());
  may_end = true;
  CHECK(take_all(worker_pool) == "0\n");
  CHECK(begun == 1);
}

TEST_CASE("behind a slow block no more rows are made than memory has room for") {
  constexpr std::size_t mega = 1 << 20;
  std::atomic<bool> may_end = false;
  std::atomic<std::size_t> begun = 0;
  WorkerPool worker_pool(2, workers([&](std::uint64_t block) {
                           ++begun;
                           while (block == 0 && !may_end) std::this_thread::sleep_for(1ms);
                           return std::string(mega, '\n');
                         }),
                         {.end = 200});
  while (begun < 65) std::this_thread::sleep_for(1ms);
  std::this_thread::sleep_for(50ms);
  CHECK(begun == 65);  // the slow block, and 64 MiB of rows
  CHECK(worker_pool.take(1ms).empty());
  may_end = true;
  CHECK(worker_pool.take(10s).size() == 4);  // as many as fit a message
  CHECK(take_all(worker_pool).size() == 196 * mega);
  CHECK(begun == 200);
}

TEST_CASE("a signal is a failure that says so") {
  CHECK(failure_of_signal(SIGINT).exit_code == 130);
  CHECK(failure_of_signal(SIGTERM).text == "ended by SIGTERM");
  CHECK(failure_of_signal(SIGTERM).is_signal());
  CHECK_FALSE(Failure{}.is_signal());
}
