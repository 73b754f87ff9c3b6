#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array terms_of_evidence_rows{
    WrittenTerm{.name = "basis",
                .definition = "What a figure rests on: measured, interpolated, extrapolated, "
                              "formula, assumed. A sum has the weakest.",
                .source = "sim/core/basis.hpp",
                .printed = "basis",
                .related = "measured, interpolated, extrapolated, formula, assumed",
                .also = "provenance"},
    WrittenTerm{.name = "measured",
                .definition = "A basis: measured on such a machine at this size.",
                .source = "sim/core/basis.hpp",
                .printed = "basis",
                .related = "basis, interpolated"},
    WrittenTerm{.name = "interpolated",
                .definition = "A basis: between two sizes or node counts that were measured.",
                .source = "sim/core/basis.hpp",
                .printed = "basis",
                .related = "basis, measured"},
    WrittenTerm{
        .name = "extrapolated",
        .definition = "A basis: beyond what was measured, carried on by a curve or formula.",
        .source = "sim/core/basis.hpp",
        .printed = "basis",
        .related = "basis, formula"},
    WrittenTerm{.name = "formula",
                .definition = "A basis: a formula over figures that have a source.",
                .source = "sim/core/basis.hpp",
                .printed = "basis",
                .related = "basis, alpha-beta"},
    WrittenTerm{.name = "assumed",
                .definition = "A basis: a figure without a source. Answers name such figures.",
                .source = "sim/core/basis.hpp",
                .printed = "basis assumed",
                .related = "basis"},
    WrittenTerm{.name = "profile",
                .definition =
                    "Efficiency, overhead and so on, fitted to steps of a workload or of a stack.",
                .source = "sim/workload, sim/kernel/kernel_profile.hpp",
                .related = "stack",
                .also = "computeprofile, kernelprofile"},
    WrittenTerm{
        .name = "calibrating row",
        .definition = "A one-domain row with a measured step, to which predictions are fitted.",
        .source = "sim/calibration/calibration.hpp",
        .printed = "role",
        .related = "one-domain row, held out",
        .also = "training set"},
    WrittenTerm{.name = "one-domain row",
                .definition = "A published run inside one scale-up domain.",
                .source = "sim/calibration/calibration.hpp",
                .related = "calibrating row, domain",
                .also = "one-node run"},
    WrittenTerm{.name = "held out",
                .definition = "Left out of every fit, so that it can be scored.",
                .source = "sim/published/backtest.hpp",
                .printed = "held_out_median",
                .related = "calibrating row, disclosure",
                .also = "test set"},
    WrittenTerm{.name = "disclosure",
                .definition = "A choice that somebody made while seeing the score of a row, so "
                              "that the score is not independent of it.",
                .source = "sim/answers/disclosures.hpp",
                .printed = "not_blind",
                .related = "held out",
                .also = "not blind"},
    WrittenTerm{.name = "fallback",
                .definition = "What stands in the place of a figure that nobody stated, or of a "
                              "request that cannot be met.",
                .source = "sim/training/run_substitutions.cpp",
                .printed = "substituted",
                .related = "basis",
                .also = "default, instead, substituted"}};

}  // namespace

constinit const std::span<const WrittenTerm> terms_of_evidence = terms_of_evidence_rows;

}  // namespace glossary
}  // namespace tofn
