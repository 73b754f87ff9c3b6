#include "microbench/cuda/nvml.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <dlfcn.h>

#include "microbench/cuda/handle.hpp"

namespace tofn::bench {
namespace {

// The part of nvml.h that is used, because not every CUDA toolkit includes it; these numbers belong
// to the library's binary interface.
using Result = int;
struct Gpu;
constexpr Result success = 0;
constexpr int sm_clock = 1;
constexpr int memory_clock = 2;
constexpr int core_temperature = 0;
/// HwSlowdown, SwThermalSlowdown, HwThermalSlowdown, HwPowerBrakeSlowdown. Reasons of normal work
/// are left out: idling, the power cap, clocks that somebody set.
constexpr unsigned long long throttle_reasons = 0x08 | 0x20 | 0x40 | 0x80;
constexpr unsigned long long power_cap = 0x04;  // SwPowerCap

/// NVML as loaded by the dynamic linker.
struct Library {
  Handle<void*, dlclose> handle;
  Result (*init)() = nullptr;
  Result (*shutdown)() = nullptr;
  Result (*driver_version)(char*, unsigned length) = nullptr;
  Result (*gpu_at)(const char* bus_id, Gpu**) = nullptr;
  Result (*clock)(Gpu*, int, unsigned* megahertz) = nullptr;
  Result (*power)(Gpu*, unsigned* milliwatts) = nullptr;
  Result (*temperature)(Gpu*, int, unsigned* celsius) = nullptr;
  Result (*clock_reasons)(Gpu*, unsigned long long*) = nullptr;

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (is_initialised) shutdown();
  }
  bool is_initialised = false;
};

template <class Function>
bool find(Library& library, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(library.handle.get(), name));
  return function != nullptr;
}

/// Null if the library is missing, too old, or finds no driver.
std::unique_ptr<Library> initialised_library() {
  auto library = std::make_unique<Library>();
  library->handle.reset(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL));
  if (!library->handle) return nullptr;
  const bool is_whole =
      find(*library, "nvmlInit_v2", library->init) &&
      find(*library, "nvmlShutdown", library->shutdown) &&
      find(*library, "nvmlSystemGetDriverVersion", library->driver_version) &&
      find(*library, "nvmlDeviceGetHandleByPciBusId_v2", library->gpu_at) &&
      find(*library, "nvmlDeviceGetClockInfo", library->clock) &&
      find(*library, "nvmlDeviceGetPowerUsage", library->power) &&
      find(*library, "nvmlDeviceGetTemperature", library->temperature) &&
      // The name of the second function is older; drivers since 535 have both.
      (find(*library, "nvmlDeviceGetCurrentClocksEventReasons", library->clock_reasons) ||
       find(*library, "nvmlDeviceGetCurrentClocksThrottleReasons", library->clock_reasons));
  library->is_initialised = is_whole && library->init() == success;
  if (!library->is_initialised) return nullptr;
  return library;
}

/// Present readings of the GPU; empty if it does not answer every question.
RecordFigures reading(const Library& nvml, Gpu* gpu) {
  unsigned sm = 0;
  unsigned memory = 0;
  unsigned milliwatts = 0;
  unsigned celsius = 0;
  unsigned long long reasons = 0;
  const bool is_complete = nvml.clock(gpu, sm_clock, &sm) == success &&
                           nvml.clock(gpu, memory_clock, &memory) == success &&
                           nvml.power(gpu, &milliwatts) == success &&
                           nvml.temperature(gpu, core_temperature, &celsius) == success &&
                           nvml.clock_reasons(gpu, &reasons) == success;
  if (!is_complete) return {};
  return {{"sm_clock_mhz_lowest", sm},
          {"sm_clock_mhz_highest", sm},
          {"memory_clock_mhz_lowest", memory},
          {"power_w_highest", milliwatts / 1e3},
          {"temperature_c_highest", celsius},
          {"is_throttled_highest", (reasons & throttle_reasons) != 0 ? 1.0 : 0.0},
          {"is_at_power_cap_highest", (reasons & power_cap) != 0 ? 1.0 : 0.0}};
}

void combine(RecordFigures& seen, const RecordFigures& now) {
  if (seen.empty()) seen = now;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    auto& [name, value] = seen[i];
    value =
        name.ends_with("_lowest") ? std::min(value, now[i].second) : std::max(value, now[i].second);
  }
}

class NvmlMonitor : public Monitor {
 public:
  NvmlMonitor(std::unique_ptr<Library> nvml, Gpu* gpu, RecordFigures first)
      : nvml_(std::move(nvml)), gpu_(gpu), last_(std::move(first)) {}

  void start() override {
    thread_ = std::jthread([this](const std::stop_token& token) { watch(token); });
  }
  void stop() override { thread_ = std::jthread(); }
  RecordFigures take() override { return std::exchange(seen_, {}); }

 private:
  void watch(const std::stop_token& token) {
    constexpr std::chrono::milliseconds interval(20);
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any stopped;
    // The first reading is delayed, because at the start the GPU still has its idle clocks.
    bool has_looked = false;
    while (true) {
      stopped.wait_for(lock, token, interval, [] { return false; });
      if (token.stop_requested()) break;
      look();
      has_looked = true;
    }
    if (!has_looked) look();
  }

  void look() {
    // If a GPU fails to answer once, keep its last reading.
    if (auto now = reading(*nvml_, gpu_); !now.empty()) last_ = std::move(now);
    combine(seen_, last_);
  }

  std::unique_ptr<Library> nvml_;
  Gpu* gpu_;
  RecordFigures last_;
  RecordFigures seen_;
  std::jthread thread_;  // last, because it uses the members above
};

}  // namespace

std::unique_ptr<Monitor> nvml_monitor(const std::string& bus_id) {
  auto nvml = initialised_library();
  Gpu* gpu = nullptr;
  if (!nvml || nvml->gpu_at(bus_id.c_str(), &gpu) != success) return nullptr;
  auto first = reading(*nvml, gpu);
  if (first.empty()) return nullptr;
  return std::make_unique<NvmlMonitor>(std::move(nvml), gpu, std::move(first));
}

std::optional<std::string> nvidia_driver() {
  const auto nvml = initialised_library();
  std::array<char, 80> version{};  // the length of NVML's own constant
  if (!nvml || nvml->driver_version(version.data(), version.size()) != success) return {};
  return version.data();
}

}  // namespace tofn::bench
