#pragma once

#include <cstdint>

namespace tofn {

/// Makes operator new count its failures from now on. Streams and libraries swallow its exception
/// and continue with half a text, so that a result is not reliable if the count grew meanwhile.
void count_memory_failures();
/// Resets the count to 0.
void forget_memory_failures();
/// Number of failures so far on all threads; 0 if they are not counted.
std::uint64_t memory_failures();
/// Throws std::bad_alloc if there were any failures.
void require_memory();

}  // namespace tofn
