#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/catch.hpp"
#include "tests/laws/runs.hpp"
#include "tests/laws/step_works.hpp"

// Counts the allocations of the whole program: the standard lets it replace these functions.
namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}

}  // namespace

// Not inlined, because gcc 12 then reports free() as not matching a new expression.
[[gnu::noinline]] void* operator new(std::size_t size) {
  if (void* memory = counted(size)) return memory;
  throw std::bad_alloc();
}
// The library's version calls the one above, but that of AddressSanitizer does not.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

using namespace tofn;
using namespace tofn::test;

namespace {

template <class F>
long allocations_of(F f) {
  const long before = allocations;
  f();
  return allocations - before;
}

}  // namespace

TEST_CASE("allocations are counted") {
  CHECK(allocations_of([] { const std::vector<int> one(1); }) == 1);
  CHECK(allocations_of([] {}) == 0);
}

TEST_CASE("evaluating a step allocates nothing") {
  Seconds sum;
  for (const CalibratedStepCase& each : step_cases()) {
    const CalibratedStep step = each.step(*each.cluster);
    const long count = allocations_of([&] {
      sum += step.times({.arithmetic = 1.1, .latency = 0.9}).total;
      sum += step.forward_pass(each.micro_batch, 1);
    });
    if (count != 0) FAIL(each.text() << ": " << count << " allocations");
  }
  CHECK(sum > Seconds{});
}

TEST_CASE("evaluating a run allocates nothing") {
  Seconds sum;
  for (const RunCase& each : run_cases()) {
    const Run model = benchmark_run(each.description, each.parameters);
    RunDraw draw;
    draw.samples = 2;
    CHECK(allocations_of([&] {
            sum += model.evaluate(draw).total().time;
            sum += model.expected().total().time;
          }) == 0);
  }
  CHECK(sum > Seconds{});
}

TEST_CASE("the closed form of a simulated step allocates nothing") {
  Seconds sum;
  for_each_seed([&](Random& random) {
    for (int i = 0; i < 6; ++i) {
      const StepWork work = random_work(
          random, {.interleaved = i % 2 == 0, .data = true, .sharded = i % 3 == 0, .sends = true});
      CHECK(allocations_of([&] { sum += closed_form(work).total; }) == 0);
    }
  });
  CHECK(sum > Seconds{});
}
