#include <array>
#include <memory>

#if __has_include(<dlfcn.h>) && !defined(__EMSCRIPTEN__)
#include <dlfcn.h>
#define TOFN_CAN_LOAD_LIBRARIES
#endif

#include "sim/starter/seen_machine.hpp"

namespace tofn {
inline namespace starter {

#ifdef TOFN_CAN_LOAD_LIBRARIES
namespace {

/// A function of the library; null if it has none of that name.
template <class Function>
Function function_named(void* library, const char* name) {
  return reinterpret_cast<Function>(::dlsym(library, name));  // NOLINT: what dlsym is for
}

struct Close {
  void operator()(void* library) const { ::dlclose(library); }
};

}  // namespace

// Functions are declared as in nvml.h (NVIDIA, NVML API reference): results are 0 if all went well,
// and a device is an opaque pointer. The library comes with the driver, so it is not linked.
std::vector<SeenAccelerator> nvml_accelerators() {
  using Device = struct nvmlDevice_st*;
  constexpr unsigned longest_name = 96;  // NVML_DEVICE_NAME_V2_BUFFER_SIZE
  const std::unique_ptr<void, Close> library(::dlopen("libnvidia-ml.so.1", RTLD_LAZY));
  if (library == nullptr) return {};
  const auto start = function_named<int (*)()>(library.get(), "nvmlInit_v2");
  const auto stop = function_named<int (*)()>(library.get(), "nvmlShutdown");
  const auto count = function_named<int (*)(unsigned*)>(library.get(), "nvmlDeviceGetCount_v2");
  const auto device =
      function_named<int (*)(unsigned, Device*)>(library.get(), "nvmlDeviceGetHandleByIndex_v2");
  const auto name =
      function_named<int (*)(Device, char*, unsigned)>(library.get(), "nvmlDeviceGetName");
  if (start == nullptr || stop == nullptr || count == nullptr || device == nullptr ||
      name == nullptr || start() != 0)
    return {};
  std::vector<SeenAccelerator> all;
  unsigned devices = 0;
  if (count(&devices) != 0) devices = 0;
  for (unsigned i = 0; i < devices; ++i) {
    Device one = nullptr;
    std::array<char, longest_name> text{};
    if (device(i, &one) == 0 && name(one, text.data(), longest_name) == 0)
      all.push_back({.name = text.data(), .from = "NVML"});
  }
  stop();
  return all;
}
#else
std::vector<SeenAccelerator> nvml_accelerators() { return {}; }
#endif

}  // namespace starter
}  // namespace tofn
