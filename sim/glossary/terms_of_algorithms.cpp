#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array terms_of_algorithms_rows{
    WrittenTerm{
        .name = "ring",
        .definition = "Pipelined passes round a ring: each rank forwards (n-1)/n of the data in a "
                      "pass. An all-reduce is two passes.",
        .formula = "start + passes x hops + passes x (n - 1) / n x bytes / bandwidth + ramp",
        .source = "Patarasuk and Yuan, JPDC 69 (2009); sim/collectives/ring.cpp",
        .printed = "algorithm",
        .set_by = "cluster:all_reduce",
        .related = "all-reduce, tree, alpha-beta",
        .also = "ring all-reduce"},
    WrittenTerm{
        .name = "tree",
        .definition = "NCCL's double binary tree: a chain in the domain, trees between domains.",
        .source = "Sanders, Speck, Traff, Parallel Computing 35 (2009); sim/collectives/tree.cpp",
        .printed = "algorithm",
        .set_by = "cluster:all_reduce",
        .related = "ring"},
    WrittenTerm{.name = "in-switch",
                .definition = "The scale-up fabric's switches reduce (NVLink SHARP).",
                .source = "NVIDIA/nccl, src/graph/tuning.cc; sim/collectives/in_switch.cpp",
                .printed = "algorithm",
                .set_by = "cluster:scale_up.in_switch_reduction cluster:all_reduce",
                .related = "in-network, in-switch tree",
                .also = "nvls"},
    WrittenTerm{.name = "in-switch tree",
                .definition = "Switches reduce in each domain, a tree joins the domains.",
                .source = "NVIDIA/nccl, src/graph/tuning.cc; sim/collectives/in_switch.cpp",
                .printed = "algorithm",
                .set_by = "cluster:all_reduce",
                .related = "in-switch, tree",
                .also = "nvlstree"},
    WrittenTerm{.name = "in-network",
                .definition = "Reduce-scatter in the domain, one pass up and down the network's "
                              "switches, all-gather in the domain.",
                .source = "NVIDIA/nccl, CollNet; sim/collectives/in_switch.cpp",
                .printed = "algorithm",
                .set_by = "cluster:network.in_network_reduction cluster:all_reduce",
                .related = "SHARP, in-switch",
                .also = "collnet"},
    WrittenTerm{.name = "pairwise",
                .definition = "Each rank exchanges with one other after another.",
                .source = "NVIDIA/nccl; sim/collectives/pairwise.cpp",
                .printed = "algorithm",
                .related = "all-to-all, send-receive"},
    WrittenTerm{.name = "MPI pairwise",
                .definition = "The same as Open MPI runs it.",
                .source = "Open MPI; sim/collectives/pairwise.cpp",
                .printed = "algorithm",
                .set_by = "cluster:library",
                .related = "pairwise"},
    WrittenTerm{.name = "MPI ring",
                .definition = "A ring as Open MPI runs it.",
                .source = "Open MPI; sim/collectives/open_mpi.cpp",
                .printed = "algorithm",
                .set_by = "cluster:library",
                .related = "ring"},
    WrittenTerm{.name = "MPI tree",
                .definition = "A tree as Open MPI broadcasts by.",
                .source = "Open MPI; sim/collectives/open_mpi.cpp",
                .printed = "algorithm",
                .set_by = "cluster:library",
                .related = "tree"},
    WrittenTerm{
        .name = "recursive doubling",
        .definition = "In each round ranks twice as far apart exchange all of their data.",
        .source = "Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005); sim/collectives/open_mpi.cpp",
        .printed = "algorithm",
        .set_by = "cluster:all_reduce",
        .related = "halving-doubling"},
    WrittenTerm{
        .name = "halving-doubling",
        .definition =
            "Halves, quarters and so on are reduced with partners, and gathered back the same way.",
        .source =
            "Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005); sim/collectives/halving_doubling.cpp",
        .printed = "algorithm",
        .set_by = "cluster:all_reduce",
        .related = "recursive doubling"},
    WrittenTerm{
        .name = "hierarchical",
        .definition =
            "A pass inside each domain, one over each rail of the network, and one inside again.",
        .source = "Bayatpour et al., SC 2017; sim/collectives/hierarchical.cpp",
        .printed = "algorithm",
        .set_by = "cluster:all_reduce",
        .related = "ring, domain"},
    WrittenTerm{
        .name = "one-shot",
        .definition =
            "All ranks send all of their data to all others, and each adds up what it gets.",
        .source = "NVIDIA/nccl 2.30, src/sym_kernels.cc; sim/collectives/direct.cpp",
        .printed = "algorithm",
        .set_by = "cluster:all_reduce",
        .related = "two-shot"},
    WrittenTerm{.name = "two-shot",
                .definition = "A direct reduce-scatter, then a direct all-gather.",
                .source = "NVIDIA/nccl 2.30, src/sym_kernels.cc; sim/collectives/direct.cpp",
                .printed = "algorithm",
                .set_by = "cluster:all_reduce",
                .related = "one-shot, direct"},
    WrittenTerm{.name = "direct",
                .definition = "Every rank sends each other rank its part at once.",
                .source = "NVIDIA/nccl 2.30, src/sym_kernels.cc; sim/collectives/direct.cpp",
                .printed = "algorithm",
                .related = "two-shot"},
    WrittenTerm{
        .name = "torus",
        .definition =
            "Parts of the data run along the sides of a torus in turn, so that all links are busy.",
        .source = "Ying et al., arXiv 1811.06992 (2018); sim/collectives/torus_algorithms.cpp",
        .printed = "algorithm",
        .set_by = "cluster:scale_up.torus.dimensions",
        .related = "ring"}};

}  // namespace

constinit const std::span<const WrittenTerm> terms_of_algorithms = terms_of_algorithms_rows;

}  // namespace glossary
}  // namespace tofn
