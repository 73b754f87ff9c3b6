#include "tests/standin/library/sum_of_elements.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "tests/standin/library/element_value.hpp"
#include "tests/standin/library/nccl_member.hpp"
#include "tests/standin/library/refusal_by_name.hpp"

namespace tofn::standin {
namespace {

std::optional<cudaDataType_t> real_type(ncclDataType_t type) {
  switch (type) {
    case ncclFloat32:
      return CUDA_R_32F;
    case ncclFloat16:
      return CUDA_R_16F;
    case ncclBfloat16:
      return CUDA_R_16BF;
    case ncclFloat8e4m3:
      return CUDA_R_8F_E4M3;
    case ncclFloat8e5m2:
      return CUDA_R_8F_E5M2;
    default:
      return {};
  }
}

template <class Number>
void add_numbers(const std::byte* values, std::byte* sums, std::size_t count) {
  const auto* from = reinterpret_cast<const Number*>(values);
  auto* to = reinterpret_cast<Number*>(sums);
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i];
}

/// Sums of all pairs of values of an 8-bit type, in a table because rounding is slow.
const std::vector<std::byte>& sums_of_pairs(cudaDataType_t type) {
  const auto made_of = [](cudaDataType_t of) {
    auto* made = new std::vector<std::byte>(256 * 256);
    std::vector<std::byte> bits(256);
    for (std::size_t i = 0; i < 256; ++i) bits[i] = static_cast<std::byte>(i);
    std::vector<float> numbers(256);
    decode(of, bits.data(), numbers.data(), 256);
    for (std::size_t i = 0; i < 256; ++i)
      for (std::size_t j = 0; j < 256; ++j) {
        const float sum = numbers[i] + numbers[j];
        encode(of, &sum, made->data() + 256 * i + j, 1);
      }
    return made;
  };
  static const auto* const e4m3 = made_of(CUDA_R_8F_E4M3);
  static const auto* const e5m2 = made_of(CUDA_R_8F_E5M2);
  return type == CUDA_R_8F_E4M3 ? *e4m3 : *e5m2;
}

}  // namespace

std::size_t element_bytes(ncclDataType_t type) {
  if (const auto real = real_type(type)) return bytes_of(*real);
  if (type == ncclInt32) return sizeof(std::int32_t);
  if (type == ncclUint8 || type == ncclInt8) return 1;
  refuse("NCCL", "elements of type " + std::to_string(type) + " are not emulated");
}

void add_elements(ncclDataType_t type, const std::byte* values, std::byte* sums,
                  std::size_t count) {
  if (type == ncclFloat32) return add_numbers<float>(values, sums, count);
  if (type == ncclInt32) return add_numbers<std::int32_t>(values, sums, count);
  const auto real = real_type(type);
  if (!real) refuse("NCCL", "sums of type " + std::to_string(type) + " are not emulated");
  if (bytes_of(*real) == 1) {
    const auto& table = sums_of_pairs(*real);
    for (std::size_t i = 0; i < count; ++i)
      sums[i] = table[256 * std::to_integer<std::size_t>(sums[i]) +
                      std::to_integer<std::size_t>(values[i])];
    return;
  }
  std::vector<float> left(count);
  std::vector<float> right(count);
  decode(*real, sums, left.data(), count);
  decode(*real, values, right.data(), count);
  for (std::size_t i = 0; i < count; ++i) left[i] += right[i];
  encode(*real, left.data(), sums, count);
}

}  // namespace tofn::standin
