#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array terms_of_collectives_rows{
    WrittenTerm{.name = "all-reduce",
                .definition = "Every rank ends with the sum of all ranks' data.",
                .formula = "bus factor = 2 (n - 1) / n",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .printed = "collective",
                .related = "reduce-scatter, all-gather, busbw, ring"},
    WrittenTerm{.name = "reduce-scatter",
                .definition = "Every rank ends with its part of the sum.",
                .formula = "bus factor = (n - 1) / n",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .printed = "collective",
                .related = "all-reduce, all-gather, ZeRO"},
    WrittenTerm{.name = "all-gather",
                .definition = "Every rank ends with the parts of all ranks.",
                .formula = "bus factor = (n - 1) / n",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .printed = "collective",
                .related = "all-reduce, reduce-scatter, FSDP"},
    WrittenTerm{.name = "broadcast",
                .definition = "Every rank ends with the data of one.",
                .formula = "bus factor = 1",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .printed = "collective",
                .related = "all-gather"},
    WrittenTerm{.name = "all-to-all",
                .definition = "Every rank sends every other rank a part of its own.",
                .formula = "bus factor = (n - 1) / n",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .printed = "collective",
                .set_by = "plan:expert_dispatch",
                .related = "expert parallelism, pairwise"},
    WrittenTerm{.name = "send-receive",
                .definition = "Every rank sends to the next one, as stages of a pipeline do.",
                .formula = "bus factor = 1",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .printed = "collective",
                .related = "pipeline parallelism"},
    WrittenTerm{.name = "algbw",
                .definition = "Algorithm bandwidth of a collective.",
                .formula = "size / time",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.hpp",
                .related = "busbw",
                .also = "algorithm bandwidth"},
    WrittenTerm{.name = "busbw",
                .definition = "Bus bandwidth: what the busiest link carries, whatever the ranks.",
                .formula = "size / time x bus factor",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .printed = "bus_bandwidth_gb_s usual_gbytes_per_s",
                .related = "algbw, bus factor, all-reduce",
                .also = "bus bandwidth"},
    WrittenTerm{.name = "bus factor",
                .definition = "How often each byte of a collective crosses the busiest link.",
                .formula = "all-reduce 2 (n - 1) / n; reduce-scatter, all-gather, all-to-all (n - "
                           "1) / n; broadcast, send-receive 1",
                .source = "NVIDIA/nccl-tests, doc/PERFORMANCE.md; sim/core/bus_factor.cpp",
                .related = "busbw"},
    WrittenTerm{
        .name = "alpha-beta",
        .definition = "Time of a message as a latency and a time for each byte. Formulas here add "
                      "the call's start, hops and a ramp.",
        .formula = "start + hops x latency + bytes / bandwidth + ramp",
        .source = "Hockney, Parallel Computing 20 (1994); sim/collectives/ring.cpp, protocol.cpp",
        .printed = "time_us",
        .set_by = "cluster:network.latency cluster:network.nic_bandwidth",
        .related = "plateau, ring",
        .also = "hockney, latency-bandwidth model"},
    WrittenTerm{
        .name = "plateau",
        .definition = "Bandwidth that large messages reach. The ramp is what smaller ones lose "
                      "beyond the library's formula.",
        .formula =
            "ramp = extra x S / (S + half), and as much again with each doubling of the domains",
        .source = "sim/collectives/protocol.hpp, sim/curves",
        .related = "alpha-beta, busbw",
        .also = "ramp, peak bandwidth"},
    WrittenTerm{.name = "exposed",
                .definition =
                    "Communication that ranks wait for, and what compute beside the rest of "
                    "it loses.",
                .source = "sim/timeline/step_work.hpp",
                .printed = "communication_exposed_s communication_exposed_share",
                .related = "overlapped, communication",
                .also = "exposed communication"},
    WrittenTerm{
        .name = "overlapped",
        .definition = "Communication beside compute, which may slow that down.",
        .formula = "compute loses overlap_slowdown of the time that communication takes beside it",
        .source = "sim/timeline/step_work.hpp",
        .printed = "communication_s",
        .set_by = "stack:overlap_slowdown",
        .related = "exposed",
        .also = "overlap"},
    WrittenTerm{.name = "communication",
                .definition = "Time of a step's exchanges between ranks, hidden or not.",
                .source = "sim/timeline/step_work.hpp",
                .printed = "communication_s comm_to_comp",
                .related = "exposed, overlapped"},
    WrittenTerm{
        .name = "LL",
        .definition =
            "A protocol of NCCL: a flag beside each 4 bytes, low latency, half of the bandwidth.",
        .source = "NVIDIA/nccl, src/graph/tuning.cc (2.30); sim/collectives/protocol.hpp",
        .printed = "protocol",
        .set_by = "cluster:network.protocols",
        .related = "LL128, Simple"},
    WrittenTerm{.name = "LL128",
                .definition = "A protocol of NCCL: a flag in each 128 bytes. It reaches 0.92 of "
                              "the bandwidth in rings.",
                .source = "NVIDIA/nccl, src/graph/tuning.cc (2.30); sim/collectives/ring.cpp",
                .printed = "protocol",
                .set_by = "cluster:network.protocols",
                .related = "LL, Simple"},
    WrittenTerm{
        .name = "Simple",
        .definition =
            "A protocol of NCCL: whole chunks behind barriers, all of the bandwidth, more latency.",
        .source = "NVIDIA/nccl, src/graph/tuning.cc (2.30); sim/collectives/ring.cpp",
        .printed = "protocol",
        .set_by = "cluster:network.protocols",
        .related = "LL, LL128"},
    WrittenTerm{
        .name = "SHARP",
        .definition = "The network's switches reduce. A run asks for it, a cluster must have it.",
        .source = "Graham et al., COMHPC 2016; sim/collectives/in_switch.cpp",
        .printed = "sharp in_network_reduction",
        .set_by = "plan:settings.in_network_reduction cluster:network.in_network_reduction",
        .related = "in-network, in-switch",
        .also = "in-network reduction"}};

}  // namespace

constinit const std::span<const WrittenTerm> terms_of_collectives = terms_of_collectives_rows;

}  // namespace glossary
}  // namespace tofn
