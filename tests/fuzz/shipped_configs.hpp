#pragma once

#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/configs_folder.hpp"

namespace tofn::fuzz {

/// Shipped configs, which fuzzed files name.
inline Library& shipped_library() {
  static Library library = Library::load(default_configs());
  return library;
}

inline const std::vector<Accelerator>& shipped_accelerators() {
  static const std::vector<Accelerator> all(shipped_library().accelerators().begin(),
                                            shipped_library().accelerators().end());
  return all;
}

inline const std::vector<LinkFamily>& shipped_families() {
  static const std::vector<LinkFamily> all(shipped_library().link_families().begin(),
                                           shipped_library().link_families().end());
  return all;
}

}  // namespace tofn::fuzz
