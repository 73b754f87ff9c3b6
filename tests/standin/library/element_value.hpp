#pragma once

#include <cstddef>

#include <library_types.h>

namespace tofn::standin {

/// Converts elements of fp32, fp16, bf16 and both fp8 to numbers and back, rounded to the nearest.
bool is_known_type(cudaDataType_t);
std::size_t bytes_of(cudaDataType_t);
void decode(cudaDataType_t, const std::byte* from, float* to, std::size_t count);
void encode(cudaDataType_t, const float* from, std::byte* to, std::size_t count);

}  // namespace tofn::standin
