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

/// Number of GPUs of this machine. If there is none, returns 0 and prints a warning.
inline int gpus_or_skip() {
  try {
    return bench::device_count();
  } catch (const InputError& error) {
    WARN("skipped: " << error.what());
    return 0;
  }
}

/// True if the links or the NCCL of this machine refuse symmetric memory or the device API; prints
/// a warning if so. False for the stand-in, which has both.
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
