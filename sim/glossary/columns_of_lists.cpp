#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

constexpr std::array columns_of_lists_rows{
    WrittenColumn{"name", "list", "what files and options call it"},
    WrittenColumn{"title", "list scale", "a line for people"},
    WrittenColumn{"description", "list", "a line for people"},
    WrittenColumn{"source", "list validate predict", "where the figure or the row is from"},
    WrittenColumn{"vendor", "list", "who makes the chip"},
    WrittenColumn{"network", "list", "kind of the network between domains"},
    WrittenColumn{"family", "list", "stacks that learn from one another"},
    WrittenColumn{"steps", "list calibrate", "measured steps that it is fitted to"},
    WrittenColumn{"fabric", "list", "family of links, by its name in fabrics/"},
    WrittenColumn{"tier", "list", "scale-up fabric or network"},
    WrittenColumn{"tables", "list", "measured tables that it is fitted to"},
    WrittenColumn{"bandwidth_efficiency", "list",
                  "share of the links' rate that large messages reach"},
    WrittenColumn{"latency_us", "list", "of one hop, in microseconds"},
    WrittenColumn{"latency_factor", "list sweep",
                  "on a hop's latency: what was fitted to tables, or what a sweep asks for"},
    WrittenColumn{"bandwidth_factor", "list",
                  "of links: on the time of bytes, so that 1.1 is a tenth less bandwidth"},
    WrittenColumn{"filling_factor", "list", "on the time that pipelines take to fill"},
    WrittenColumn{"ranks", "list collective validate step", "accelerators that take part"},
    WrittenColumn{"size", "list collective validate",
                  "bytes of the collective, as nccl-tests counts them"},
    WrittenColumn{"usual_gbytes_per_s", "list",
                  "bus bandwidth of a large collective on such a cluster"},
    WrittenColumn{"to_pass_gbytes_per_s", "list",
                  "bus bandwidth below which one healthy system in twenty is"},
    WrittenColumn{"parameters", "list", "of the network"},
    WrittenColumn{"trainable_parameters", "list", "of the network, those that train"},
    WrittenColumn{"tflop_per_sample", "list", "10^12 FLOPs of a sample, forward and backward"},
    WrittenColumn{"flops_per_sample", "list", "FLOPs of a sample, forward and backward"},
    WrittenColumn{"reference_points", "list", "MLPerf's points of samples to the target by batch"},
    WrittenColumn{"smallest_reference_batch", "list", "of these points"},
    WrittenColumn{"largest_reference_batch", "list", "of these points"},
    WrittenColumn{"target", "list", "score at which the benchmark ends"},
    WrittenColumn{"phases", "list", "of the run"},
    WrittenColumn{"of", "list validate", "what the row is of"},
    WrittenColumn{"points", "list", "of the grid"},
    WrittenColumn{"release", "list", "YY.MM of the software that the runs used"},
    WrittenColumn{"observations", "list", "one-domain runs that the row is fitted to"},
    WrittenColumn{"efficiency_relative_spread", "list",
                  "standard deviation of the efficiency over it"},
    WrittenColumn{"efficiency", "list", "of calibrations: share of the peak that steps teach"},
    WrittenColumn{"overhead_ms", "list calibrate",
                  "time of a pass that does not shrink with the batch, in milliseconds"},
    WrittenColumn{"overhead_relative_spread", "list", "standard deviation of the overhead over it"},
    WrittenColumn{"overhead_was_learnt", "list", "1 where steps tell the overhead apart"},
    WrittenColumn{"smallest_micro_batch", "list", "of the observed runs"},
    WrittenColumn{"largest_micro_batch", "list", "of the observed runs"},
    WrittenColumn{"worst_relative_residual", "list",
                  "greatest difference of a fitted step from a measured one, over it"},
    WrittenColumn{"evaluation_factor", "list",
                  "time of evaluations over that of their forward passes"},
    WrittenColumn{"fixed", "list", "time that is neither step nor evaluation"},
    WrittenColumn{"fixed_unit", "list", "of the fixed time: seconds, or steps"},
    WrittenColumn{"kind", "list check study",
                  "kind of file; of the study's losses: measured or predicted"},
    WrittenColumn{"key", "list", "dotted; of each entry of a list with []"},
    WrittenColumn{"value", "list scale predict",
                  "a key's unit or choices; a law's parameter; an input as it is"},
    WrittenColumn{"default", "list", "where the file does not state it"},
    WrittenColumn{"meaning", "list explain", "what the name stands for"},
    WrittenColumn{"figure", "list repeat", "name of a column"},
    WrittenColumn{"unit", "list explain", "of the figure"},
    WrittenColumn{"commands", "list", "whose answers have the column"},
    WrittenColumn{"list", "list", "what `tofn list NAME` shows"},
    WrittenColumn{"entries", "list", "of that list"},
    WrittenColumn{"model_type", "list", "kind of model that a config.json states"},
    WrittenColumn{"layers_of", "list", "the model_type whose layers it has"},
    WrittenColumn{"model", "list step", "network, by its name in models/"}};

}  // namespace

constinit const std::span<const WrittenColumn> columns_of_lists = columns_of_lists_rows;

}  // namespace glossary
}  // namespace tofn
