#pragma once

#include <string>
#include <string_view>

#include "sim/launch/launch_stack.hpp"

namespace tofn {
inline namespace launch {

/// The sizes of MaxText's mesh inside a slice (`ici`) or between slices (`dcn`); the axis that is
/// -1 takes the rest. InputError where they do not take all the devices.
class MaxtextMesh {
 public:
  MaxtextMesh(const LaunchValues& values, std::string_view prefix, long long devices);

  int size(std::string_view axis) const;

 private:
  std::string key(std::string_view axis) const;

  const LaunchValues& values_;
  std::string_view prefix_;
  std::string_view rest_;
  long long rest_size_ = 1;
};

}  // namespace launch
}  // namespace tofn
