// Readers of folders. An input holds several files (sections.hpp), each at the path that its name
// gives.
#include <cmath>

#include "sim/config/load.hpp"
#include "sim/config/load_model.hpp"
#include "sim/published/import_mlperf.hpp"
#include "sim/starter/seen_machine.hpp"
#include "sim/starter/starters.hpp"
#include "sim/yaml/hub_cache.hpp"
#include "tests/fuzz/file_room.hpp"
#include "tests/fuzz/invariants.hpp"
#include "tests/fuzz/shipped_configs.hpp"
#include "tests/fuzz/target_tables.hpp"

namespace tofn::fuzz {
namespace {

void submission(const std::string& input) {
  static const FileRoom room({"nvidia/results/sys/bert/result_0.txt",
                              "nvidia/results/sys/bert/result_1.txt",
                              "nvidia/results/sys/bert/scaling.json", "nvidia/systems/sys.json",
                              "nvidia/benchmarks/bert/config_sys.sh"});
  room.hold(input);
  only_input_errors(
      [] {
        for (const ImportedRow& row : import_mlperf(room.path()).rows) {
          require(row.organisation == "nvidia", "a row is of who submitted");
          require(!row.minutes || std::isfinite(*row.minutes), "scores are finite");
        }
      },
      room.path().string());
}

/// Reads a folder as Hugging Face's library downloads a model.
void downloaded_model(const std::string& input) {
  static const FileRoom room({"models--a--b/refs/main", "models--a--b/snapshots/0/config.json",
                              "models--a--b/snapshots/1/config.json"});
  room.hold(input);
  only_input_errors(
      [] {
        if (const auto found = cached_config(room.path(), "a/b")) load_model(*found);
      },
      room.path().string());
}

/// Reads a machine's description of itself, as `tofn init cluster` does.
void machine(const std::string& input) {
  static const FileRoom room(
      {"proc/driver/nvidia/gpus/0/information", "usr/share/misc/pci.ids",
       "sys/bus/pci/devices/0/class", "sys/bus/pci/devices/0/vendor",
       "sys/bus/pci/devices/0/device", "sys/class/infiniband/mlx5_0/ports/1/rate",
       "sys/class/infiniband/mlx5_0/ports/1/link_layer",
       "sys/class/infiniband/mlx5_0/ports/1/state", "sys/class/net/eth0/speed",
       "sys/class/net/eth0/device/id", "proc/sys/kernel/hostname"});
  room.hold(input);
  const SeenMachine seen = seen_machine(room.path());
  require(seen.ports.count >= 0, "ports are counted");
  require(std::isfinite(seen.ports.bandwidth.base()) && seen.ports.bandwidth.base() >= 0,
          "ports have a bandwidth");
  only_input_errors(
      [&] {
        const std::string text = cluster_starter(seen, shipped_library(), "mine", {});
        read_cluster(YamlNode::parse(text, "mine.yaml"), shipped_accelerators(),
                     shipped_families());
      },
      "mine.yaml");
}

}  // namespace

TargetTable folder_targets() {
  return {{"submission", "a checkout of MLPerf's results: `import`", submission, Shape::Sections},
          {"hub_cache", "models that Hugging Face's library downloaded", downloaded_model,
           Shape::Sections},
          {"machine", "sysfs and procfs: `init cluster`", machine, Shape::Sections}};
}

}  // namespace tofn::fuzz
