#include "sim/formats/launchers/maxtext_mesh.hpp"

#include <array>

#include <fmt/format.h>

namespace tofn {
inline namespace formats {
namespace {

/// Axes of the mesh. Each has one size inside a slice (`ici`) and one between slices (`dcn`).
constexpr std::array<std::string_view, 8> maxtext_axes{
    "data", "fsdp", "tensor", "tensor_sequence", "context", "pipeline", "expert", "sequence"};

std::string key_of(std::string_view prefix, std::string_view axis) {
  return fmt::format("{}_{}_parallelism", prefix, axis);
}

}  // namespace

MaxtextMesh::MaxtextMesh(const LaunchValues& values, std::string_view prefix, long long devices)
    : values_(values), prefix_(prefix) {
  long long product = 1;
  std::string_view rest;
  for (const std::string_view axis : maxtext_axes) {
    const long long size = values.whole(key(axis));
    if (size == -1 && rest.empty()) {
      rest = axis;
    } else if (size < 1 || size > 1'000'000) {
      values.fail(key(axis), fmt::format("must be at least 1, or once -1, got {}", size));
    } else {
      product *= size;
      if (product > devices) break;
    }
  }
  if (product > devices || (rest.empty() && product != devices))
    values.fail(key(maxtext_axes.front()),
                fmt::format("the {} axes take {} devices, there are {}", prefix, product, devices));
  rest_ = rest;
  rest_size_ = rest.empty() ? 1 : quotient_of(values, key(rest), devices, product);
}

std::vector<long long> MaxtextMesh::sizes(const LaunchValues& values) {
  std::vector<long long> all;
  for (const std::string_view prefix : {"ici", "dcn"})
    for (const std::string_view axis : maxtext_axes)
      all.push_back(values.whole(key_of(prefix, axis)));
  return all;
}

std::string MaxtextMesh::key(std::string_view axis) const { return key_of(prefix_, axis); }

int MaxtextMesh::size(std::string_view axis) const {
  return static_cast<int>(axis == rest_ ? rest_size_ : values_.whole(key(axis)));
}

}  // namespace formats
}  // namespace tofn
