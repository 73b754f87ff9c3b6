#include "microbench/harness/machine.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "sim/core/file.hpp"
#include "sim/core/words.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): not every libc declares it

namespace tofn::bench {
namespace {

std::string first_line(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The text after the colon of the first line that starts with `key`; empty if there is none.
std::string value_in(const std::filesystem::path& path, std::string_view key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    const auto value = line.find_first_not_of(" \t", line.find(':') + 1);
    return value == std::string::npos ? std::string{} : line.substr(value);
  }
  return {};
}

std::string cpu() {
  int numa_nodes = 0;
  for (const auto& path : sorted_entries("/sys/devices/system/node"))
    if (path.filename().string().starts_with("node")) ++numa_nodes;
  return fmt::format("{}, {} processors, {}", cpu_model(), sysconf(_SC_NPROCESSORS_ONLN),
                     counted(std::max(numa_nodes, 1), "NUMA node"));
}

/// Links of the network: InfiniBand and RoCE ports, such as `mlx5_0: 400 Gb/sec (4X NDR)`; without
/// these, physical network interfaces.
std::string network() {
  std::vector<std::string> links;
  for (const auto& device : sorted_entries("/sys/class/infiniband"))
    for (const auto& port : sorted_entries(device / "ports"))
      links.push_back(fmt::format("{}: {}", device.filename().string(), first_line(port / "rate")));
  if (!links.empty()) return fmt::format("{}", fmt::join(links, ", "));
  for (const auto& interface : sorted_entries("/sys/class/net")) {
    const std::string speed = first_line(interface / "speed");
    if (std::filesystem::exists(interface / "device") && !speed.empty() && speed[0] != '-')
      links.push_back(fmt::format("{}: {} Mb/s", interface.filename().string(), speed));
  }
  return links.empty() ? "no link that states its speed"
                       : fmt::format("{}", fmt::join(links, ", "));
}

}  // namespace

std::string host_name() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string cpu_model() {
  const std::string model = value_in("/proc/cpuinfo", "model name");
  return model.empty() ? "unknown" : model;
}

std::string utc_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

RecordTexts machine_description() {
  utsname system{};
  const bool is_known = uname(&system) == 0;
  return {{"kernel", is_known ? fmt::format("{} {}", system.sysname, system.release) : "unknown"},
          {"cpu", cpu()},
          {"memory", value_in("/proc/meminfo", "MemTotal")},
          {"network", network()}};
}

namespace {

/// True for variables that mpirun sets for its processes, such as addresses, which no user chose.
bool is_set_by_launcher(std::string_view name) {
  constexpr std::array<std::string_view, 7> prefixes{
      "OMPI_MCA_orte_",  "OMPI_MCA_ess",
      "OMPI_MCA_pmix",   "OMPI_MCA_initial_wdir",
      "OMPI_MCA_shmem_", "OMPI_MCA_mpi_oversubscribe",
      "PRTE_MCA_"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

RecordTexts steering_environment() {
  constexpr std::array<std::string_view, 13> prefixes{
      "NCCL_", "CUDA_", "OMPI_MCA_", "UCX_", "FI_",   "MPICH_",    "I_MPI_",
      "MV2_",  "OMP_",  "OPENBLAS_", "MKL_", "GOMP_", "SLURM_JOB_"};
  RecordTexts variables;
  for (char** each = environ; *each != nullptr; ++each) {  // NOLINT: the C interface
    const std::string_view entry = *each;
    const auto equals = entry.find('=');
    const auto name = entry.substr(0, equals);
    if (is_set_by_launcher(name)) continue;
    if (equals != std::string_view::npos &&
        std::any_of(prefixes.begin(), prefixes.end(),
                    [&](std::string_view prefix) { return name.starts_with(prefix); }))
      variables.emplace_back(name, entry.substr(equals + 1));
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

double available_memory() {
  const std::string text = value_in("/proc/meminfo", "MemAvailable");
  try {
    return std::stod(text) * 1024;
  } catch (const std::exception&) {
    struct sysinfo info {};
    return sysinfo(&info) == 0 ? static_cast<double>(info.freeram) * info.mem_unit : 0;
  }
}

}  // namespace tofn::bench
