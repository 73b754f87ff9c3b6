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
    MachineKey{"accelerator", "name", "of the chip"},
    MachineKey{"accelerator", "vendor", "who makes it"},
    MachineKey{"accelerator", "aliases", "how published tables spell it"},
    MachineKey{"accelerator", "architecture", "whose factors a stack has"},
    MachineKey{"accelerator", "die", "that others have, too: steps measured on one speak of all"},
    MachineKey{"accelerator", "memory", "of one accelerator"},
    MachineKey{"accelerator", "memory_bandwidth", "of its own memory"},
    MachineKey{"accelerator", "multiprocessors",
               "that tiles of a product are dealt over, in waves"},
    MachineKey{"accelerator", "best_product",
               "rate that large products in 16 bits were measured at"},
    MachineKey{"accelerator", "best_fp8_product", "the same in fp8"},
    MachineKey{"accelerator", "best_fp4_product", "the same in fp4"},
    MachineKey{"accelerator", "peak.fp32", "dense rate of products in fp32"},
    MachineKey{"accelerator", "peak.tf32", "dense rate of products in tf32"},
    MachineKey{"accelerator", "peak.bf16", "dense rate of products in bf16"},
    MachineKey{"accelerator", "peak.fp16", "dense rate of products in fp16"},
    MachineKey{"accelerator", "peak.fp8", "dense rate of products in fp8"},
    MachineKey{"accelerator", "peak.fp4", "dense rate of products in fp4"},
    MachineKey{"accelerator", "scale_up.link", "what joins accelerators of a domain: NVLink 4"},
    MachineKey{"accelerator", "scale_up.bandwidth", "of one accelerator and direction, nominal"},
    MachineKey{"accelerator", "scale_up.domain_accelerators",
               "of systems that no file of a cluster describes"},
    MachineKey{"accelerator", "host_link", "bandwidth to its host, a direction"},
    MachineKey{"accelerator", "power", "the most that it draws"},
    MachineKey{"accelerator", "idle_power", "the least that it draws"},
    MachineKey{"accelerator", "prices", "of an hour, where a cluster has none"},
    MachineKey{"cluster", "name", "of the machine"},
    MachineKey{"cluster", "description", "a line for people"},
    MachineKey{"cluster", "machine", "the cluster whose nodes these are, seen by another library"},
    MachineKey{"cluster", "systems", "organisation/system patterns of published tables"},
    MachineKey{"cluster", "accelerator", "a chip, by its name in accelerators/"},
    MachineKey{"cluster", "node.accelerators", "of one server"},
    MachineKey{
        "cluster", "node.accelerator_power_limit",
        "what the site lets each draw, where that is less than its power: its rate goes with "
        "the square root"},
    MachineKey{"cluster", "scale_up.kind", "what joins the accelerators of a domain"},
    MachineKey{"cluster", "scale_up.fabric", "family of its links, by its name in fabrics/"},
    MachineKey{"cluster", "scale_up.domain_accelerators",
               "accelerators that one fabric joins: a multiple of a node's"},
    MachineKey{"cluster", "scale_up.bandwidth", "of one accelerator and direction, nominal"},
    MachineKey{"cluster", "scale_up.bandwidth_efficiency",
               "share of it that large ring collectives reach; else the family's"},
    MachineKey{"cluster", "scale_up.latency",
               "of a hop, as a collective sees it; else the family's"},
    MachineKey{"cluster", "scale_up.in_switch_reduction",
               "whether its switches multicast and reduce (NVLS)"},
    MachineKey{"cluster", "scale_up.torus.dimensions", "1 to 3, two links each"},
    MachineKey{"cluster", "scale_up.torus.closes_from",
               "chips of a job whose sides are rings; of fewer they are lines"},
    MachineKey{"cluster", "network.kind", "what joins the domains"},
    MachineKey{"cluster", "network.fabric", "family of its links, by its name in fabrics/"},
    MachineKey{"cluster", "network.nics_per_node", "ports to the network"},
    MachineKey{"cluster", "network.nic_bandwidth", "of one NIC and direction, nominal"},
    MachineKey{"cluster", "network.bandwidth_efficiency",
               "share of it that large collectives reach; else the family's"},
    MachineKey{"cluster", "network.latency",
               "of a hop between nodes, as a collective sees it; else the family's"},
    MachineKey{"cluster", "network.in_network_reduction",
               "whether its switches can reduce (SHARP) if a run asks for it"},
    MachineKey{"cluster", "network.nodes_per_leaf", "nodes that reach each other below the spine"},
    MachineKey{"cluster", "network.oversubscription", "of the spine; 1 is non-blocking"},
    MachineKey{"cluster", "network.spine_latency", "added to a hop between leaves"},
    MachineKey{"cluster", "network.protocols", "of NCCL that its transport leaves"},
    MachineKey{"cluster", "host_copies.latency",
               "of one copy to the host, for a library that takes data from there"},
    MachineKey{"cluster", "host_copies.bandwidth", "of one accelerator's copies, a direction"},
    MachineKey{"cluster", "library", "that runs collectives; RCCL and HCCL are taken as NCCL"},
    MachineKey{"cluster", "all_reduce", "a what-if: the algorithm that all-reduces run by"},
    MachineKey{"cluster", "power.node_maximum", "of a node as its maker states it; only listed"},
    MachineKey{"cluster", "power.host", "what a node draws beside its accelerators"},
    MachineKey{"cluster", "power.fans",
               "of a node, over what accelerators and host draw; 0 under liquid"},
    MachineKey{"cluster", "power.switch_port", "of the network, each"},
    MachineKey{"cluster", "power.facility_factor", "power of the site over the machine's (PUE)"},
    MachineKey{"cluster", "prices", "of an accelerator-hour, by term"}};

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
