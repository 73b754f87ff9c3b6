#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array terms_of_scaling_rows{
    WrittenTerm{
        .name = "speedup",
        .definition = "Time of the reference over this one's.",
        .formula = "T_ref / T",
        .source = "Cortes, Juiz, Bermejo, arXiv 2509.03263 (2025); sim/scaling/efficiency.cpp",
        .printed = "speedup",
        .related = "efficiency, reference system"},
    WrittenTerm{
        .name = "efficiency",
        .definition = "Speedup over growth of the accelerators.",
        .formula = "(T_ref / T) / (N / N_ref)",
        .source = "Cortes, Juiz, Bermejo, arXiv 2509.03263 (2025); sim/scaling/efficiency.cpp",
        .printed = "efficiency",
        .related = "speedup, scaling efficiency",
        .also = "relative efficiency"},
    WrittenTerm{
        .name = "scaling efficiency",
        .definition = "Efficiency against that of the median of the runs on a base size.",
        .formula = "E(N) / E(N_base)",
        .source = "Cortes, Juiz, Bermejo, arXiv 2509.03263 (2025); sim/scaling/efficiency.hpp",
        .printed = "scaling_efficiency",
        .related = "efficiency"},
    WrittenTerm{
        .name = "reference system",
        .definition = "The fewest accelerators, and among those the slowest.",
        .source = "Cortes, Juiz, Bermejo, arXiv 2509.03263 (2025); sim/scaling/efficiency.hpp",
        .printed = "reference_accelerators",
        .related = "speedup"},
    WrittenTerm{.name = "strong scaling",
                .definition = "More accelerators share one global batch.",
                .source = "Amdahl, AFIPS 1967; sim/answers/scale_answer.hpp",
                .printed = "series",
                .related = "weak scaling, Amdahl's law"},
    WrittenTerm{.name = "weak scaling",
                .definition = "The global batch grows with the accelerators.",
                .source = "Gustafson, CACM 31(5) (1988); sim/answers/scale_answer.hpp",
                .printed = "series",
                .related = "strong scaling, Gustafson's law"},
    WrittenTerm{.name = "law",
                .definition = "Time as a formula of N, fitted to a series.",
                .source = "sim/scaling/law.cpp",
                .printed = "law formula",
                .related = "knee, Amdahl's law",
                .also = "scaling law"},
    WrittenTerm{.name = "Amdahl's law",
                .definition = "Speedup where a share s of the work stays serial.",
                .source = "Amdahl, AFIPS 1967; sim/scaling/law.cpp",
                .printed = "law",
                .related = "Gustafson's law, overhead law",
                .also = "amdahl"},
    WrittenTerm{.name = "Gustafson's law",
                .definition = "Speedup of work that grows with N, beside a serial share s.",
                .source = "Gustafson, CACM 31(5) (1988); sim/scaling/law.cpp",
                .printed = "law",
                .related = "Amdahl's law",
                .also = "gustafson"},
    WrittenTerm{
        .name = "overhead law",
        .definition =
            "Each further accelerator adds a share a of the time. It is Amdahl's curve with a = s.",
        .source = "sim/scaling/law.cpp",
        .printed = "law",
        .related = "Amdahl's law",
        .also = "overhead"},
    WrittenTerm{.name = "universal scalability law",
                .definition = "Amdahl's law with a term that each pair of accelerators adds.",
                .source = "Gunther, Guerrilla Capacity Planning (2007); sim/scaling/law.cpp",
                .printed = "law",
                .related = "Amdahl's law",
                .also = "universal, usl"},
    WrittenTerm{.name = "affine-log law",
                .definition = "An empirical form: a constant, a line and a logarithm.",
                .source = "sim/scaling/law.cpp",
                .printed = "law",
                .related = "law",
                .also = "affine-log"},
    WrittenTerm{.name = "communication law",
                .definition = "Work that N share, beside the latencies of a tree.",
                .source = "sim/scaling/law.cpp",
                .printed = "law",
                .related = "law, tree"},
    WrittenTerm{.name = "knee",
                .definition = "Where more accelerators stop paying: by speedup x efficiency, by "
                              "gain of a doubling, or by time x cost.",
                .formula = "product: most speedup x efficiency; gain: the next doubling gains less "
                           "than 30 %; cost: least time x cost^0.5",
                .source = "sim/scaling/knee.cpp",
                .printed = "knee",
                .related = "law, gain of a doubling"},
    WrittenTerm{.name = "gain of a doubling",
                .definition = "Of speed, by twice the accelerators.",
                .formula = "(T_1 / T_2)^(1 / log2(N_2 / N_1)) - 1",
                .source = "sim/scaling/knee.cpp",
                .printed = "gain_per_doubling",
                .related = "knee"},
    WrittenTerm{.name = "elasticity",
                .definition = "By how many per cent an answer moves where one input moves by one.",
                .source = "sim/answers/elasticities.hpp",
                .printed = "time_elasticity",
                .set_by = "--sensitivity",
                .related = "interval"},
    WrittenTerm{.name = "what-if",
                .definition = "An answer with one figure of a machine, plan or run changed.",
                .source = "sim/sweep",
                .set_by = "--times",
                .related = "sweep"},
    WrittenTerm{.name = "sweep",
                .definition =
                    "Many what-ifs: a base and axes over any field, and the points of their grid.",
                .formula = "points = product of the lengths of the axes",
                .source = "sim/sweep",
                .printed = "point",
                .related = "what-if"}};

}  // namespace

constinit const std::span<const WrittenTerm> terms_of_scaling = terms_of_scaling_rows;

}  // namespace glossary
}  // namespace tofn
