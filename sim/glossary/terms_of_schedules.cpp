#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array terms_of_schedules_rows{
    WrittenTerm{
        .name = "gpipe",
        .definition = "All forward passes, then all backward ones. Activations of all "
                      "micro-batches are held.",
        .source = "Huang et al., arXiv 1811.06965 (2018); sim/parallelism/pipeline_schedule.cpp",
        .printed = "schedule",
        .set_by = "plan:schedule",
        .related = "1f1b, bubble"},
    WrittenTerm{
        .name = "1f1b",
        .definition = "One forward, one backward: after its warm-up a stage alternates. With "
                      "several chunks a stage it is the interleaved schedule.",
        .formula = "bubble of equal stages = (stages - 1) / chunks x time of a micro-batch on a "
                   "stage, sends aside",
        .source =
            "Narayanan et al., arXiv 2104.04473 (2021); sim/parallelism/pipeline_schedule.cpp",
        .printed = "schedule",
        .set_by = "plan:schedule",
        .related = "interleaving, bubble, gpipe"},
    WrittenTerm{.name = "eager-1f1b",
                .definition = "1f1b whose stages run up to twice as many forward passes ahead, so "
                              "that sends hide. It holds more activations.",
                .source = "sim/parallelism/pipeline_schedule.cpp",
                .printed = "schedule",
                .set_by = "plan:schedule",
                .related = "1f1b"},
    WrittenTerm{
        .name = "zero-bubble",
        .definition =
            "Weight gradients run apart, later than what goes back a stage, and fill the bubble.",
        .source = "Qi et al., arXiv 2401.10241 (2023); sim/parallelism/pipeline_schedule.cpp",
        .printed = "schedule",
        .set_by = "plan:schedule",
        .related = "zb-v, bubble"},
    WrittenTerm{
        .name = "breadth-first",
        .definition = "Every chunk takes all micro-batches before the next chunk does.",
        .source = "Lamy-Poirier, arXiv 2211.05953 (2022); sim/parallelism/pipeline_schedule.cpp",
        .printed = "schedule",
        .set_by = "plan:schedule",
        .related = "interleaving, gpipe"},
    WrittenTerm{
        .name = "zb-v",
        .definition = "Zero bubble with two chunks a stage, placed in a V: the first stage has the "
                      "first and the last layers.",
        .source = "Qi et al., arXiv 2401.10241 (2023); sim/parallelism/pipeline_schedule.cpp",
        .printed = "schedule",
        .set_by = "plan:schedule",
        .related = "zero-bubble, v-half"},
    WrittenTerm{
        .name = "v-half",
        .definition = "A V of two chunks a stage that holds about half of the activations of 1f1b.",
        .source = "Qi et al., arXiv 2405.15362 (2024); sim/parallelism/pipeline_schedule.cpp",
        .printed = "schedule",
        .set_by = "plan:schedule",
        .related = "zb-v"},
    WrittenTerm{.name = "dualpipe-v",
                .definition = "A V in which a forward and a backward pass run as one, so that "
                              "exchanges of experts hide.",
                .source = "DeepSeek-AI, arXiv 2412.19437 (2024), and its cut in half by Sea AI Lab "
                          "(2025); sim/parallelism/pipeline_schedule.cpp",
                .printed = "schedule",
                .set_by = "plan:schedule plan:expert_overlap",
                .related = "zb-v, expert parallelism"},
    WrittenTerm{
        .name = "interleaving",
        .definition = "Several chunks of layers on each stage. The bubble shrinks by their number, "
                      "sends grow by it.",
        .source =
            "Narayanan et al., arXiv 2104.04473 (2021); sim/parallelism/pipeline_schedule.cpp",
        .printed = "chunks",
        .set_by = "plan:chunks_per_stage",
        .related = "chunk, 1f1b",
        .also = "virtual pipeline"},
    WrittenTerm{.name = "stage",
                .definition = "The layers of one pipeline rank.",
                .source = "sim/parallelism/plan.hpp",
                .printed = "stage",
                .set_by = "plan:pipeline_parallel plan:stage_layers",
                .related = "chunk, pipeline parallelism",
                .also = "pipeline stage"},
    WrittenTerm{.name = "chunk",
                .definition = "A part of a stage's layers, where stages interleave.",
                .source = "sim/parallelism/plan.hpp",
                .printed = "chunk",
                .set_by = "plan:chunks_per_stage",
                .related = "interleaving, stage",
                .also = "virtual stage"},
    WrittenTerm{.name = "pass",
                .definition = "Forward or backward of one chunk over one micro-batch.",
                .source = "sim/timeline/step_work.hpp",
                .printed = "pass",
                .related = "micro-batch, chunk"}};

}  // namespace

constinit const std::span<const WrittenTerm> terms_of_schedules = terms_of_schedules_rows;

}  // namespace glossary
}  // namespace tofn
