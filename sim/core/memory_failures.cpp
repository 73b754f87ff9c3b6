#include "sim/core/memory_failures.hpp"

#include <atomic>
#include <new>

namespace tofn {
namespace {

std::atomic<std::uint64_t> failures = 0;

void count_failure() {
  ++failures;
  throw std::bad_alloc();
}

}  // namespace

void count_memory_failures() { std::set_new_handler(count_failure); }
void forget_memory_failures() { failures = 0; }
std::uint64_t memory_failures() { return failures; }
void require_memory() {
  if (failures > 0) throw std::bad_alloc();
}

}  // namespace tofn
