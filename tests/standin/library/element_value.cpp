#include "tests/standin/library/element_value.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace tofn::standin {
namespace {

/// Values of all bit patterns of a type of at most 16 bits.
template <class Element, class Bits>
const std::vector<float>& values() {
  static const auto* const all = [] {
    auto* made = new std::vector<float>(std::size_t{1} << (8 * sizeof(Bits)));
    for (std::size_t i = 0; i < made->size(); ++i) {
      const auto bits = static_cast<Bits>(i);
      Element element;
      std::memcpy(static_cast<void*>(&element), &bits, sizeof bits);
      (*made)[i] = static_cast<float>(element);
    }
    return made;
  }();
  return *all;
}

template <class Element, class Bits>
void decode_all(const std::byte* from, float* to, std::size_t count) {
  const std::vector<float>& value_of = values<Element, Bits>();
  for (std::size_t i = 0; i < count; ++i) {
    Bits bits;
    std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
    to[i] = value_of[bits];
  }
}

template <class Element>
void encode_all(const float* from, std::byte* to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Element element(from[i]);
    std::memcpy(to + i * sizeof element, static_cast<const void*>(&element), sizeof element);
  }
}

void copy_in(const std::byte* from, float* to, std::size_t count) {
  std::memcpy(to, from, count * sizeof(float));
}
void copy_out(const float* from, std::byte* to, std::size_t count) {
  std::memcpy(to, from, count * sizeof(float));
}

struct Row {
  cudaDataType_t type;
  std::size_t bytes;
  void (*decode)(const std::byte*, float*, std::size_t);
  void (*encode)(const float*, std::byte*, std::size_t);
};

constexpr std::array<Row, 5> rows{{
    {CUDA_R_32F, 4, copy_in, copy_out},
    {CUDA_R_16F, 2, decode_all<__half, std::uint16_t>, encode_all<__half>},
    {CUDA_R_16BF, 2, decode_all<__nv_bfloat16, std::uint16_t>, encode_all<__nv_bfloat16>},
    {CUDA_R_8F_E4M3, 1, decode_all<__nv_fp8_e4m3, std::uint8_t>, encode_all<__nv_fp8_e4m3>},
    {CUDA_R_8F_E5M2, 1, decode_all<__nv_fp8_e5m2, std::uint8_t>, encode_all<__nv_fp8_e5m2>},
}};

const Row* row_of(cudaDataType_t type) {
  for (const Row& row : rows)
    if (row.type == type) return &row;
  return nullptr;
}

}  // namespace

bool is_known_type(cudaDataType_t type) { return row_of(type) != nullptr; }
std::size_t bytes_of(cudaDataType_t type) { return row_of(type)->bytes; }
void decode(cudaDataType_t type, const std::byte* from, float* to, std::size_t count) {
  row_of(type)->decode(from, to, count);
}
void encode(cudaDataType_t type, const float* from, std::byte* to, std::size_t count) {
  row_of(type)->encode(from, to, count);
}

}  // namespace tofn::standin
