#include "sim/blocks/work_queue.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

std::uint64_t size(BlockRange range) { return range.end - range.first; }

}  // namespace

TEST_CASE("a process gets what it asks for, in order, and more only as blocks come back") {
  WorkQueue work_queue({.first = 10, .end = 1000}, 1);
  work_queue.ask(0, 2, 3);
  const BlockRange first = work_queue.deal(0, 0);
  CHECK(first.first == 10);
  CHECK(first.end == 13);
  CHECK(size(work_queue.deal(0, 0)) == 0);
  work_queue.take_back(0, 100);
  work_queue.take_back(0, 100);
  const BlockRange second = work_queue.deal(0, 0);
  CHECK(second.first == 13);
  CHECK(second.end == 15);
}

TEST_CASE("nothing is dealt before anybody asked, nor after the last block") {
  WorkQueue work_queue({.first = 0, .end = 2}, 1);
  CHECK(size(work_queue.deal(0, 0)) == 0);
  work_queue.ask(0, 4, 8);
  CHECK(size(work_queue.deal(0, 0)) == 2);
  CHECK(size(work_queue.deal(0, 0)) == 0);
}

TEST_CASE("until the first block is back nobody knows their size: two a thread are out") {
  WorkQueue work_queue({.first = 0, .end = 1000}, 2);
  work_queue.ask(0, 1, 100);
  work_queue.ask(1, 2, 100);
  CHECK(size(work_queue.deal(0, 0)) == 6);  // 2 x 3 threads
  CHECK(size(work_queue.deal(1, 0)) == 0);
  work_queue.take_back(0, 1);
  CHECK(size(work_queue.deal(1, 0)) == 100);
}

TEST_CASE("towards the end nobody holds what others could run") {
  WorkQueue work_queue({.first = 0, .end = 12}, 2);
  work_queue.ask(0, 1, 100);
  work_queue.ask(1, 1, 100);
  CHECK(size(work_queue.deal(0, 0)) == 4);  // 1 + 12 x 1 / (2 x 2)
  work_queue.take_back(0, 0);
  CHECK(size(work_queue.deal(1, 0)) == 3);  // 1 + 8 / 4
  CHECK(size(work_queue.deal(0, 0)) == 0);  // holds 3, and may have 1 + 5 / 4
  for (int i = 0; i < 3; ++i) work_queue.take_back(1, 0);
  CHECK(size(work_queue.deal(1, 0)) == 2);  // 1 + 5 / 4
  for (int i = 0; i < 3; ++i) work_queue.take_back(0, 0);
  CHECK(size(work_queue.deal(0, 0)) == 1);  // 1 + 3 / 4
  work_queue.take_back(0, 0);
  CHECK(size(work_queue.deal(0, 0)) == 1);
  work_queue.take_back(0, 0);
  CHECK(size(work_queue.deal(0, 0)) == 1);
  CHECK(size(work_queue.deal(1, 0)) == 0);
}

TEST_CASE(
    "what would not fit into memory is not dealt, but for the one block that is always dealt") {
  constexpr std::size_t mega = 1 << 20;
  WorkQueue work_queue({.first = 0, .end = 1000}, 1);
  work_queue.ask(0, 1, 1);
  CHECK(size(work_queue.deal(0, 0)) == 1);
  work_queue.take_back(0, mega);  // and a few bytes to keep it
  work_queue.ask(0, 1, 100);
  // 64 MiB and 4 MiB a thread.
  CHECK(size(work_queue.deal(0, 70 * mega)) == 1);
  CHECK(size(work_queue.deal(0, 70 * mega)) == 0);
  work_queue.take_back(0, mega);
  CHECK(size(work_queue.deal(0, 60 * mega)) == 7);  // of a little more than 1 MiB
}
