#include "sim/blocks/crew.hpp"

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

std::vector<FinishedBlock> take_all(Crew& crew) {
  std::vector<FinishedBlock> all;
  while (!crew.is_idle() && !crew.failure())
    for (FinishedBlock& block : crew.take(10ms)) all.push_back(std::move(block));
  return all;
}

}  // namespace

TEST_CASE("a crew runs every block that it is given once") {
  Crew crew(3, workers([](std::uint64_t block) { return std::to_string(block) + "\n"; }));
  CHECK(crew.is_idle());
  crew.give({.first = 5, .end = 105});
  std::set<std::string> rows;
  for (const FinishedBlock& block : take_all(crew)) {
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
  Crew crew(3, [&]() -> BlockWorker {
    CHECK(std::this_thread::get_id() == here);
    ++made;
    return [](std::uint64_t) { return ""; };
  });
  CHECK(made == 3);
}

TEST_CASE("the first exception is a failure, and nothing more is begun") {
  Crew crew(1, workers([](std::uint64_t block) -> std::string {
              if (block == 2) throw InputError("block 2: no");
              return "";
            }));
  crew.give({.first = 0, .end = 10});
  while (!crew.failure()) crew.take(10ms);
  CHECK(crew.failure()->text == "block 2: no");
  CHECK(crew.failure()->exit_code == 2);
  CHECK(crew.wanted() == 0);
  crew.give({.first = 10, .end = 20});
  crew.take(0ms);
  while (!crew.is_idle()) crew.take(10ms);
}

TEST_CASE("a worker that cannot be made is a failure too") {
  const Crew crew(2, []() -> BlockWorker { throw std::runtime_error("out of files"); });
  REQUIRE(crew.failure());
  CHECK(crew.failure()->text == "out of files");
  CHECK(crew.failure()->exit_code == 1);
}

TEST_CASE("dropped blocks are not begun, those that run are finished") {
  std::atomic<bool> may_end = false;
  std::atomic<int> begun = 0;
  Crew crew(1, workers([&](std::uint64_t) {
              ++begun;
              while (!may_end) std::this_thread::sleep_for(1ms);
              return std::string("x\n");
            }));
  crew.give({.first = 0, .end = 10});
  while (begun == 0) std::this_thread::sleep_for(1ms);
  crew.drop_waiting();
  may_end = true;
  CHECK(take_all(crew).size() == 1);
  CHECK(begun == 1);
}

TEST_CASE("the shorter the blocks, the more lie ready") {
  Crew crew(2, workers([](std::uint64_t block) {
              if (block < 8) std::this_thread::sleep_for(300ms);
              return std::string();
            }));
  CHECK(crew.wanted() == 4);  // one that runs and one that waits, a thread
  crew.give({.first = 0, .end = 2});
  take_all(crew);
  CHECK(crew.wanted() == 4);  // 0.3 s each: one ahead is 0.25 s and more
  crew.give({.first = 100, .end = 300});
  take_all(crew);
  CHECK(crew.wanted() > 100);
}
