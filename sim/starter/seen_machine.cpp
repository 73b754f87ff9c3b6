#include "sim/starter/seen_machine.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>

#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace starter {
namespace {

namespace fs = std::filesystem;

/// The first line of a file; empty if it cannot be read, as with a port without a cable.
std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// Accelerators from `Model: NVIDIA H100 80GB HBM3` of each device of NVIDIA's driver.
std::vector<SeenAccelerator> driver_accelerators(const fs::path& root) {
  std::vector<SeenAccelerator> all;
  for (const fs::path& device : sorted_entries(root / "proc/driver/nvidia/gpus")) {
    std::ifstream file(device / "information");
    constexpr std::string_view head = "Model:";
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(head)) continue;
      const std::size_t start = line.find_first_not_of(" \t", head.size());
      if (start != line.npos)
        all.push_back({.name = line.substr(start), .from = "/proc/driver/nvidia"});
    }
  }
  return all;
}

/// Name of a PCI device in the list that most systems have (pci-ids.ucw.cz): lines of vendors,
/// followed by their devices after a tab. For `GH100 [H100 SXM5 80GB]` it is the name in brackets.
std::string pci_name(const fs::path& root, std::string_view vendor, std::string_view device) {
  for (const char* place : {"usr/share/misc/pci.ids", "usr/share/hwdata/pci.ids"}) {
    std::ifstream list(root / place);
    bool is_of_vendor = false;
    for (std::string line; std::getline(list, line);) {
      if (line.empty() || line.starts_with('#') || line.starts_with("\t\t")) continue;
      if (!line.starts_with('\t'))
        is_of_vendor = line.starts_with(vendor);
      else if (is_of_vendor && line.substr(1).starts_with(device)) {
        const std::size_t open = line.find('['), close = line.rfind(']');
        if (open != line.npos && close != line.npos && open < close)
          return line.substr(open + 1, close - open - 1);
        return line.substr(std::min(line.size(), 1 + device.size() + 2));
      }
    }
  }
  return "PCI device " + std::string(vendor) + ':' + std::string(device);
}

/// NVIDIA's and AMD's devices that only compute, and accelerators by their PCI class: 0302 is a 3D
/// controller, 1200 a processing accelerator, 0380 the class of AMD's Instinct.
std::vector<SeenAccelerator> pci_accelerators(const fs::path& root) {
  constexpr std::string_view nvidia = "10de", amd = "1002";
  const auto hex = [](const fs::path& file) {
    const std::string text = first_line(file);
    return text.starts_with("0x") ? text.substr(2) : std::string();
  };
  std::vector<SeenAccelerator> all;
  for (const fs::path& device : sorted_entries(root / "sys/bus/pci/devices")) {
    const std::string kind = hex(device / "class").substr(0, 4), vendor = hex(device / "vendor");
    const bool computes = kind == "0302" || (kind == "0300" && vendor == nvidia) ||
                          (kind == "0380" && vendor == amd) || kind == "1200";
    if (!computes || (vendor != nvidia && vendor != amd && kind != "1200")) continue;
    all.push_back({.name = pci_name(root, vendor, hex(device / "device")), .from = "PCI"});
  }
  return all;
}

/// The number that a text begins with; 0 if it begins with none.
double number_at_start(const std::string& text) {
  double number = 0;
  return parse_number(std::string_view(text).substr(0, text.find(' ')), number) ? number : 0;
}

using PortsByRate = std::map<double, SeenPorts>;

/// Counts a port of this rate in Gb/s. A port whose link is down states -1, or 2^32 - 1 Mb/s.
void add_port(PortsByRate& ports, double gigabits, const char* kind, const char* from) {
  constexpr double most = 1e5;
  if (gigabits <= 0 || gigabits > most) return;
  SeenPorts& of_rate = ports[gigabits];
  ++of_rate.count;
  of_rate.bandwidth = BytesPerSecond{gigabits * 1e9 / 8};
  of_rate.kind = kind;
  of_rate.from = from;
}

/// Ports whose link is up, with rates such as `400 Gb/sec (4X NDR)`.
PortsByRate rdma_ports(const fs::path& root) {
  PortsByRate ports;
  for (const fs::path& device : sorted_entries(root / "sys/class/infiniband"))
    for (const fs::path& port : sorted_entries(device / "ports")) {
      if (first_line(port / "state").find("ACTIVE") == std::string::npos) continue;
      const bool is_ethernet = first_line(port / "link_layer") == "Ethernet";
      add_port(ports, number_at_start(first_line(port / "rate")),
               is_ethernet ? "roce" : "infiniband", "/sys/class/infiniband");
    }
  return ports;
}

/// Ports of network devices, with rates in Mb/s, without bridges, tunnels and the loopback.
PortsByRate network_ports(const fs::path& root) {
  PortsByRate ports;
  std::error_code ignored;
  for (const fs::path& device : sorted_entries(root / "sys/class/net"))
    if (fs::exists(device / "device", ignored))
      add_port(ports, number_at_start(first_line(device / "speed")) / 1000, "ethernet",
               "/sys/class/net");
  return ports;
}

}  // namespace

// Training uses the ports with the fastest rate; others serve disks and people.
SeenMachine seen_machine(const fs::path& root) {
  SeenMachine machine{.host = first_line(root / "proc/sys/kernel/hostname")};
  if (root == "/") machine.accelerators = nvml_accelerators();
  if (machine.accelerators.empty()) machine.accelerators = driver_accelerators(root);
  if (machine.accelerators.empty()) machine.accelerators = pci_accelerators(root);
  for (const PortsByRate& ports : {rdma_ports(root), network_ports(root)})
    if (machine.ports.count == 0 && !ports.empty()) machine.ports = ports.rbegin()->second;
  return machine;
}

}  // namespace starter
}  // namespace tofn
