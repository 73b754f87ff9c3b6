#pragma once

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "microbench/cuda/device.hpp"
#include "microbench/harness/buffer.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"

namespace tofn::test {

/// GPUs here; 0, and a message that is seen, where there is none to test with.
inline int gpus_or_skip() {
  try {
    return bench::device_count();
  } catch (const InputError& error) {
    WARN("skipped: " << error.what());
    return 0;
  }
}

/// Whether the links or the NCCL of this machine refuse symmetric memory or the device API, which
/// is then seen. Never of the stand-in, which has both.
inline bool is_refused_here(const std::string& refusal) {
  if (bench::gpu_stand_in()) return false;
  for (const char* reason : {"their GPUs must", "was built with NCCL"})
    if (refusal.find(reason) != std::string::npos) {
      WARN("skipped: " << refusal);
      return true;
    }
  return false;
}

template <class Value>
void put(bench::Buffer& buffer, const std::vector<Value>& values) {
  buffer.write(0, std::as_bytes(std::span(values)));
}

template <class Value>
std::vector<Value> taken(bench::Buffer& buffer, std::size_t count) {
  const auto bytes = buffer.read(0, count * sizeof(Value));
  std::vector<Value> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

}  // namespace tofn::test
