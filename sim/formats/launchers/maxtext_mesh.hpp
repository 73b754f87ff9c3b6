#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/formats/launchers/launch_stack.hpp"

namespace tofn {
inline namespace formats {

/// Sizes of MaxText's mesh inside a slice (`ici`) or between slices (`dcn`). An axis of size -1
/// takes the remaining devices. InputError if the axes do not take all devices.
class MaxtextMesh {
 public:
  MaxtextMesh(const LaunchValues& values, std::string_view prefix, long long devices);

  int size(std::string_view axis) const;
  /// Sizes of all axes inside a slice and between slices, as they are stated.
  static std::vector<long long> sizes(const LaunchValues&);

 private:
  std::string key(std::string_view axis) const;

  const LaunchValues& values_;
  std::string_view prefix_;
  std::string_view rest_;
  long long rest_size_ = 1;
};

}  // namespace formats
}  // namespace tofn
