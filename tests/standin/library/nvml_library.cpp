// Emulates NVML, which microbench/cuda/nvml.cpp opens by its name.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>

#include "tests/standin/library/fault.hpp"
#include "tests/standin/library/gpu.hpp"

using namespace tofn::standin;

namespace {

constexpr int success = 0;
constexpr int invalid_argument = 2;
constexpr int not_found = 6;
constexpr int sm_clock = 1;
constexpr unsigned long long thermal_slowdown = 0x40;

std::atomic<int> looks = 0;  // readings of the clock

bool is_throttled(void* device) {
  return is_requested(Fault::ThrottledClock, static_cast<Gpu*>(device)->number());
}

}  // namespace

extern "C" {

int nvmlInit_v2() { return success; }
int nvmlShutdown() { return success; }

int nvmlSystemGetDriverVersion(char* text, unsigned length) {
  std::snprintf(text, length, "none: a stand-in");
  return success;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, void** device) {
  for (int number = 0; number < gpu_count(); ++number) {
    char own[16];
    std::snprintf(own, sizeof own, "0000:%02x:00.0", static_cast<unsigned>(number + 1) & 0xffU);
    if (std::strcmp(own, bus_id) != 0) continue;
    *device = &gpu(number);
    return success;
  }
  return not_found;
}

int nvmlDeviceGetClockInfo(void* device, int clock, unsigned* megahertz) {
  if (clock != sm_clock && clock != 2) return invalid_argument;
  if (clock != sm_clock)
    *megahertz = 2619;
  else if (is_throttled(device))
    *megahertz = 345;
  else
    *megahertz = ++looks % 2 == 0 ? 1755 : 1980;  // alternates as under a changing load
  return success;
}

int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
  *milliwatts = 300000;
  return success;
}

int nvmlDeviceGetTemperature(void* device, int, unsigned* celsius) {
  *celsius = is_throttled(device) ? 89 : 45;
  return success;
}

int nvmlDeviceGetCurrentClocksEventReasons(void* device, unsigned long long* reasons) {
  *reasons = is_throttled(device) ? thermal_slowdown : 0;
  return success;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void* device, unsigned long long* reasons) {
  return nvmlDeviceGetCurrentClocksEventReasons(device, reasons);
}

}  // extern "C"
