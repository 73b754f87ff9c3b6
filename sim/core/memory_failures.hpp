#pragma once

#include <cstdint>

namespace tofn {

/// From now on operator new counts its failures. Streams and libraries swallow its exception and go
/// on with half a text: what was made while the count grew is not to be trusted.
void count_memory_failures();
/// What was told of does not count any more.
void forget_memory_failures();
/// So far, on all threads; 0 where they are not counted.
std::uint64_t memory_failures();
/// Throws std::bad_alloc where there were any.
void require_memory();

}  // namespace tofn
