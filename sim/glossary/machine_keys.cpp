#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/collectives/algorithm.hpp"
#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array rows{
    MachineKey{"accelerator", "name", "name of the chip"},
    MachineKey{"accelerator", "vendor", "maker of the chip"},
    MachineKey{"accelerator", "aliases", "spellings of the chip's name in published tables"},
    MachineKey{"accelerator", "architecture", "generation of the chip, whose factors a stack has"},
    MachineKey{"accelerator", "die",
               "die that other accelerators have, too: steps measured on one speak of all"},
    MachineKey{"accelerator", "memory", "memory of one accelerator"},
    MachineKey{"accelerator", "memory_bandwidth", "bandwidth of the accelerator's own memory"},
    MachineKey{"accelerator", "multiprocessors",
               "multiprocessors that tiles of a product are dealt over, in waves"},
    MachineKey{"accelerator", "best_product", "measured rate of large products in 16 bits"},
    MachineKey{"accelerator", "best_fp8_product", "measured rate of large products in fp8"},
    MachineKey{"accelerator", "best_fp4_product", "measured rate of large products in fp4"},
    MachineKey{"accelerator", "peak.fp32", "dense rate of products in fp32"},
    MachineKey{"accelerator", "peak.tf32", "dense rate of products in tf32"},
    MachineKey{"accelerator", "peak.bf16", "dense rate of products in bf16"},
    MachineKey{"accelerator", "peak.fp16", "dense rate of products in fp16"},
    MachineKey{"accelerator", "peak.fp8", "dense rate of products in fp8"},
    MachineKey{"accelerator", "peak.fp4", "dense rate of products in fp4"},
    MachineKey{"accelerator", "scale_up.link",
               "links that join the accelerators of a domain: NVLink 4"},
    MachineKey{"accelerator", "scale_up.bandwidth",
               "nominal bandwidth of one accelerator in one direction"},
    MachineKey{"accelerator", "scale_up.domain_accelerators",
               "accelerators of a domain in systems that no file of a cluster describes"},
    MachineKey{"accelerator", "host_link", "bandwidth of the link to the host in one direction"},
    MachineKey{"accelerator", "power", "greatest power that the accelerator draws"},
    MachineKey{"accelerator", "idle_power", "least power that the accelerator draws"},
    MachineKey{"accelerator", "prices", "price of an accelerator-hour, where a cluster has none"},
    MachineKey{"cluster", "name", "name of the machine"},
    MachineKey{"cluster", "description", "a line for people"},
    MachineKey{"cluster", "machine", "cluster whose nodes these are, seen by another library"},
    MachineKey{"cluster", "systems",
               "patterns organisation/system of the machine in published tables"},
    MachineKey{"cluster", "accelerator", "accelerator of the nodes, by its name in accelerators/"},
    MachineKey{"cluster", "node.accelerators", "accelerators of one server"},
    MachineKey{"cluster", "node.accelerator_power_limit",
               "power limit of each accelerator at the site, where below its power: its rate goes "
               "with the square root"},
    MachineKey{"cluster", "scale_up.kind",
               "kind of fabric that joins the accelerators of a domain"},
    MachineKey{"cluster", "scale_up.fabric",
               "family of the fabric's links, by its name in fabrics/"},
    MachineKey{"cluster", "scale_up.domain_accelerators",
               "accelerators that one fabric joins: a multiple of a node's"},
    MachineKey{"cluster", "scale_up.bandwidth",
               "nominal bandwidth of one accelerator in one direction"},
    MachineKey{"cluster", "scale_up.bandwidth_efficiency",
               "share of the bandwidth that large ring collectives reach; else the family's"},
    MachineKey{"cluster", "scale_up.latency",
               "latency of a hop, as a collective sees it; else the family's"},
    MachineKey{"cluster", "scale_up.in_switch_reduction",
               "whether the fabric's switches multicast and reduce (NVLS)"},
    MachineKey{"cluster", "scale_up.torus.dimensions",
               "dimensions of the torus: 1 to 3, two links each"},
    MachineKey{"cluster", "scale_up.torus.closes_from",
               "least chips of a job whose sides are rings; with fewer they are lines"},
    MachineKey{"cluster", "network.kind", "kind of network that joins the domains"},
    MachineKey{"cluster", "network.fabric",
               "family of the network's links, by its name in fabrics/"},
    MachineKey{"cluster", "network.nics_per_node", "ports of a node to the network"},
    MachineKey{"cluster", "network.nic_bandwidth", "nominal bandwidth of one NIC in one direction"},
    MachineKey{"cluster", "network.bandwidth_efficiency",
               "share of the bandwidth that large collectives reach; else the family's"},
    MachineKey{"cluster", "network.latency",
               "latency of a hop between nodes, as a collective sees it; else the family's"},
    MachineKey{"cluster", "network.in_network_reduction",
               "whether the network's switches can reduce (SHARP) if a run asks for it"},
    MachineKey{"cluster", "network.nodes_per_leaf", "nodes that reach each other below the spine"},
    MachineKey{"cluster", "network.oversubscription",
               "oversubscription of the spine; 1 is non-blocking"},
    MachineKey{"cluster", "network.spine_latency", "latency added to a hop between leaves"},
    MachineKey{"cluster", "network.protocols",
               "protocols of NCCL that the network's transport leaves"},
    MachineKey{"cluster", "host_copies.latency",
               "latency of one copy to the host, for a library that takes data from there"},
    MachineKey{"cluster", "host_copies.bandwidth",
               "bandwidth of one accelerator's copies in one direction"},
    MachineKey{"cluster", "library",
               "library that runs collectives; RCCL and HCCL are taken as NCCL"},
    MachineKey{"cluster", "all_reduce", "algorithm that all-reduces run by, as a what-if"},
    MachineKey{"cluster", "power.node_maximum",
               "greatest power of a node as its maker states it; only listed"},
    MachineKey{"cluster", "power.host", "power that a node draws beside its accelerators"},
    MachineKey{"cluster", "power.fans",
               "power of a node's fans over that of its accelerators and host; 0 under liquid"},
    MachineKey{"cluster", "power.switch_port", "power of each switch port of the network"},
    MachineKey{"cluster", "power.facility_factor", "power of the site over the machine's (PUE)"},
    MachineKey{"cluster", "prices", "price of an accelerator-hour, by term"}};

template <class Choices>
std::string choices_of(const Choices& choices) {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : choices) names.push_back(name);
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Unit of a column as people write it.
std::string_view written_unit(const ListedUnit& unit) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> units{
      {{"gb", "GB"},
       {"gbytes_per_s", "GB/s"},
       {"gbits_per_s", "Gb/s"},
       {"tflops", "TFLOP/s"},
       {"us", "us"},
       {"w", "W"},
       {"kw", "kW"}}};
  const auto found =
      std::ranges::find_if(units, [&](const auto& each) { return each.first == unit.name; });
  return found == units.end() ? unit.name : found->second;
}

}  // namespace

std::span<const MachineKey> machine_keys() { return rows; }

std::map<std::string, KeyForm, std::less<>> machine_key_forms() {
  std::map<std::string, KeyForm, std::less<>> forms{
      {"accelerator:architecture", {choices_of(architecture_names), ""}},
      {"cluster:scale_up.kind", {choices_of(scale_up_kinds), ""}},
      {"cluster:network.kind", {choices_of(network_kinds), ""}},
      {"cluster:network.protocols", {choices_of(protocol_names), ""}},
      {"cluster:library", {choices_of(library_names), ""}}};
  std::string_view kind = "accelerator";
  const auto add = [&](const ClusterField& field) {
    forms[fmt::format("{}:{}", kind, field.dotted())] = {std::string(written_unit(field.unit)),
                                                         field.column()};
  };
  visit_accelerator(add);
  kind = "cluster";
  visit_node(add);
  visit_scale_up(add);
  visit_torus(add);
  visit_network(add);
  visit_host_copies(add);
  visit_power(add);
  return forms;
}

std::vector<FileKey> machine_file_keys(std::string_view kind) {
  const auto forms = machine_key_forms();
  std::vector<FileKey> keys;
  for (const MachineKey& key : rows) {
    if (key.kind != kind) continue;
    const auto form = forms.find(fmt::format("{}:{}", key.kind, key.key));
    keys.push_back({std::string(key.kind), std::string(key.key),
                    form == forms.end() ? "" : form->second.unit, "", std::string(key.meaning)});
  }
  return keys;
}

}  // namespace glossary
}  // namespace tofn
