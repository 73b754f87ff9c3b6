#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array terms_of_machines_rows{
    WrittenTerm{.name = "node",
                .definition = "Accelerators of one server.",
                .source = "sim/cluster/cluster.hpp",
                .printed = "nodes accelerators_per_node",
                .set_by = "cluster:node.accelerators",
                .related = "domain",
                .also = "server"},
    WrittenTerm{.name = "domain",
                .definition = "Accelerators that one scale-up fabric joins. A GB200 rack has nodes "
                              "of 4 and a domain of 72.",
                .source = "sim/cluster/cluster.hpp",
                .printed = "scale_up_domain_accelerators",
                .set_by = "cluster:scale_up.domain_accelerators plan:accelerators_per_domain",
                .related = "node, NVLink domain",
                .also = "scale-up domain"},
    WrittenTerm{.name = "NVLink domain",
                .definition = "A scale-up domain whose fabric is NVLink.",
                .source = "NVIDIA, GB200 NVL72 data sheet (2024); sim/cluster/cluster.hpp",
                .printed = "scale_up_domain_accelerators",
                .set_by = "cluster:scale_up.domain_accelerators",
                .related = "domain",
                .also = "nvl72"},
    WrittenTerm{.name = "NIC",
                .definition = "A port to the network between domains.",
                .source = "sim/cluster/cluster.hpp",
                .printed = "nics_per_node nic_gbits_per_s",
                .set_by = "cluster:network.nics_per_node cluster:network.nic_bandwidth",
                .related = "leaf, rail"},
    WrittenTerm{.name = "rail",
                .definition = "The NIC that serves one accelerator of each node. Ranks at the same "
                              "place of their nodes meet on it.",
                .source = "sim/collectives/hierarchical.cpp",
                .set_by = "cluster:network.nics_per_node",
                .related = "NIC, leaf"},
    WrittenTerm{
        .name = "leaf",
        .definition =
            "A switch that nodes stand behind. What crosses from leaf to leaf goes over the spine.",
        .source = "sim/cluster/cluster.hpp",
        .printed = "nodes_per_leaf",
        .set_by = "cluster:network.nodes_per_leaf",
        .related = "spine, oversubscription"},
    WrittenTerm{.name = "spine",
                .definition = "The switches that join leaves.",
                .source = "sim/cluster/cluster.hpp",
                .printed = "spine_latency_us",
                .set_by = "cluster:network.spine_latency",
                .related = "leaf, oversubscription"},
    WrittenTerm{
        .name = "PUE",
        .definition = "Power usage effectiveness: power of the site over that of the machine.",
        .formula = "facility power = machine power x facility_factor",
        .source = "ISO/IEC 30134-2 (2016); sim/expense/energy.hpp",
        .printed = "facility_factor",
        .set_by = "cluster:power.facility_factor --facility-factor",
        .related = "energy",
        .also = "facility factor"},
    WrittenTerm{
        .name = "energy",
        .definition = "What accelerators, hosts, fans, switches and the facility draw over a run.",
        .formula = "time x ((accelerators x (idle + (busy - idle) x utilisation) + idle ones x "
                   "idle + hosts) x (1 + fans) + switches) x facility factor",
        .source = "sim/expense/energy.hpp",
        .printed = "energy_kwh",
        .related = "PUE, utilisation"},
    WrittenTerm{
        .name = "utilisation",
        .definition =
            "Share of the accelerators' dynamic power, which lies between idle and the maximum.",
        .source = "sim/expense/activity.hpp",
        .printed = "accelerator_utilisation",
        .related = "energy"},
    WrittenTerm{.name = "link family",
                .definition = "Links of one kind. A make is what has tables that are alike, kin "
                              "are the other tables of a make.",
                .source = "sim/cluster/link_family.hpp",
                .printed = "fabric",
                .set_by = "cluster:network.fabric cluster:scale_up.fabric",
                .related = "plateau",
                .also = "fabric, interconnect, make, kin"},
    WrittenTerm{.name = "stack",
                .definition = "The software that runs steps, with figures of its own. A family is "
                              "stacks that learn from one another.",
                .source = "sim/kernel/kernel_profile.hpp",
                .printed = "stack family",
                .set_by = "--stack run:stack",
                .related = "profile",
                .also = "framework, family"},
    WrittenTerm{
        .name = "precision",
        .definition =
            "The format that products are computed in. Peaks are those of dense products in it.",
        .source = "sim/cluster/precision.hpp",
        .printed = "precision",
        .set_by = "plan:settings.precision",
        .related = "FLOP, MFU"}};

}  // namespace

constinit const std::span<const WrittenTerm> terms_of_machines = terms_of_machines_rows;

}  // namespace glossary
}  // namespace tofn
