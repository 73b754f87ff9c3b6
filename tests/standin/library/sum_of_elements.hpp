#pragma once

#include <cstddef>

#include <nccl.h>

namespace tofn::standin {

/// Adds values[i] to sums[i], rounding each sum to the type as NCCL's ring does from rank to rank.
void add_elements(ncclDataType_t, const std::byte* values, std::byte* sums, std::size_t count);

}  // namespace tofn::standin
