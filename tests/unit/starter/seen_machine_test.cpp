#include "sim/starter/seen_machine.hpp"

#include <fstream>
#include <string>

#include "sim/config/library.hpp"
#include "sim/starter/starters.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/temporary_folder.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

namespace fs = std::filesystem;

void put(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << text;
}

void put_port(const fs::path& root, const std::string& device, const std::string& rate,
              const std::string& layer, const std::string& state = "4: ACTIVE") {
  const fs::path port = root / "sys/class/infiniband" / device / "ports/1";
  put(port / "rate", rate + '\n');
  put(port / "link_layer", layer + '\n');
  put(port / "state", state + '\n');
}

void put_pci(const fs::path& root, const std::string& place, const std::string& kind,
             const std::string& vendor, const std::string& device) {
  const fs::path folder = root / "sys/bus/pci/devices" / place;
  put(folder / "class", "0x" + kind + '\n');
  put(folder / "vendor", "0x" + vendor + '\n');
  put(folder / "device", "0x" + device + '\n');
}

}  // namespace

TEST_CASE("a machine of which nothing is known shows nothing", "[starter]") {
  const TemporaryFolder root;
  const SeenMachine seen = seen_machine(root.path());
  CHECK(seen.accelerators.empty());
  CHECK(seen.ports.count == 0);
}

TEST_CASE("accelerators are those that the driver has", "[starter]") {
  const TemporaryFolder root;
  for (const char* place : {"0000:18:00.0", "0000:2a:00.0"})
    put(root.path() / "proc/driver/nvidia/gpus" / place / "information",
        "Model: \t\t NVIDIA H100 80GB HBM3\nIRQ:   \t\t 18\n");
  put_pci(root.path(), "0000:18:00.0", "030200", "10de", "2330");
  const SeenMachine seen = seen_machine(root.path());
  REQUIRE(seen.accelerators.size() == 2);
  CHECK(seen.accelerators[0].name == "NVIDIA H100 80GB HBM3");
  CHECK(seen.accelerators[0].from == "/proc/driver/nvidia");
}

TEST_CASE("without a driver they are what the list of PCI devices says", "[starter]") {
  const TemporaryFolder root;
  put(root.path() / "usr/share/misc/pci.ids",
      "# a list\n1002  Advanced Micro Devices\n\t2330  another one\n10de  NVIDIA Corporation\n"
      "\t2330  GH100 [H100 SXM5 80GB]\n\t\t10de 16c0  a board\n\t2331  GH100\n");
  put_pci(root.path(), "0000:00:01.0", "060400", "10de", "2330");  // a bridge
  put_pci(root.path(), "0000:18:00.0", "030200", "10de", "2330");
  put_pci(root.path(), "0000:19:00.0", "030200", "10de", "2331");
  put_pci(root.path(), "0000:1a:00.0", "030200", "10de", "ffff");
  put_pci(root.path(), "0000:1b:00.0", "020000", "8086", "1521");  // an Ethernet card
  const SeenMachine seen = seen_machine(root.path());
  REQUIRE(seen.accelerators.size() == 3);
  CHECK(seen.accelerators[0].name == "H100 SXM5 80GB");
  CHECK(seen.accelerators[1].name == "GH100");
  CHECK(seen.accelerators[2].name == "PCI device 10de:ffff");
}

TEST_CASE("the fastest ports that are up carry a training", "[starter]") {
  const TemporaryFolder root;
  put_port(root.path(), "mlx5_0", "400 Gb/sec (4X NDR)", "InfiniBand");
  put_port(root.path(), "mlx5_1", "400 Gb/sec (4X NDR)", "InfiniBand");
  put_port(root.path(), "mlx5_2", "400 Gb/sec (4X NDR)", "InfiniBand", "1: DOWN");
  put_port(root.path(), "mlx5_3", "100 Gb/sec (4X EDR)", "Ethernet");
  put(root.path() / "sys/class/net/eth0/speed", "1000\n");
  put(root.path() / "sys/class/net/eth0/device/vendor", "0x8086\n");
  const SeenPorts ports = seen_machine(root.path()).ports;
  CHECK(ports.count == 2);
  CHECK(ports.bandwidth.base() == 50e9);
  CHECK(ports.kind == "infiniband");
}

TEST_CASE("without RDMA they are those of the kernel, virtual ones left out", "[starter]") {
  const TemporaryFolder root;
  put(root.path() / "sys/class/net/eth0/speed", "25000\n");
  put(root.path() / "sys/class/net/eth0/device/vendor", "0x8086\n");
  put(root.path() / "sys/class/net/eth1/speed", "-1\n");
  put(root.path() / "sys/class/net/eth1/device/vendor", "0x8086\n");
  put(root.path() / "sys/class/net/docker0/speed", "100000\n");
  const SeenPorts ports = seen_machine(root.path()).ports;
  CHECK(ports.count == 1);
  CHECK(ports.bandwidth.base() == 25e9 / 8);
  CHECK(ports.kind == "ethernet");
}

TEST_CASE("a chip is known however a driver spells it", "[starter]") {
  const Library library = Library::load(configs);
  for (const char* name : {"NVIDIA H100 80GB HBM3", "H100 SXM", "h100-sxm", "H100 SXM5 80GB"}) {
    INFO(name);
    const Accelerator* found = accelerator_called(library, name);
    REQUIRE(found != nullptr);
    CHECK(found->name == "H100 SXM");
  }
  CHECK(accelerator_called(library, "Q9000") == nullptr);
}
