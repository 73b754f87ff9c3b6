#include <array>

#include "sim/glossary/term.hpp"

namespace tofn {
inline namespace glossary {
namespace {

// Heads of tables for people whose columns have other names in CSV and JSON; heads of figures of
// runs are in `run_figures`.
constexpr std::array written_column_rows{
    WrittenColumn{"bandwidth_factor", "sweep", "of an axis: on the bandwidth of the network"},
    WrittenColumn{"knee_*_accelerators", "scale", "knee without that point"},
    WrittenColumn{"knee_*_between", "scale", "the same, interpolated between sizes"},
    WrittenColumn{"point", "sweep", "of the grid, from 0"},
    WrittenColumn{"latency_factor", "list sweep",
                  "on a hop's latency: what was fitted to tables, or what a sweep asks for"},
    WrittenColumn{"list", "list", "what `tofn list NAME` shows"},
    WrittenColumn{"entries", "list", "of that list"},
    WrittenColumn{"best_mean_percent", "validate",
                  "least mean error since as many were scored, or since a worse one was accepted"},
    WrittenColumn{"was", "validate", "the figure before"},
    WrittenColumn{"why", "validate",
                  "cause of a worse figure, and the figure where that change alone is reverted"},
    WrittenColumn{"b", "predict scale step list", "samples per replica and pass"},
    WrittenColumn{"bias", "compare validate", "mean of the signed errors, in %"},
    WrittenColumn{"in time %", "plan", "probability that the run keeps all limits"},
    WrittenColumn{"chip", "compare study", "accelerator"},
    WrittenColumn{"comm %", "predict scale step",
                  "communication in the step: exposed, in scale all of it"},
    WrittenColumn{"communication %", "scale", "hidden or not, of computation and communication"},
    WrittenColumn{"deadlines met, of a chance of", "validate", "the chance that was predicted"},
    WrittenColumn{"efficiency kept from 8", "study", "share of the efficiency on 8 accelerators"},
    WrittenColumn{"eff. %", "predict scale list",
                  "efficiency: of list calibrations the share of the dense peak"},
    WrittenColumn{"eval.", "compare list study",
                  "evaluation: minutes, or its error, or observed over modelled"},
    WrittenColumn{"err %", "compare validate", "predicted over measured, less 1"},
    WrittenColumn{"error in %", "compare validate", "predicted over measured, less 1"},
    WrittenColumn{"expected", "collective predict",
                  "bus GB/s that a healthy system reaches; a figure with the overrun of published "
                  "runs"},
    WrittenColumn{"exposed communication %", "predict",
                  "share of the step that communication takes which nothing hides"},
    WrittenColumn{"exposed %", "scale step",
                  "share of the step that communication takes which nothing hides"},
    WrittenColumn{"gain %", "scale", "of speed, by the next doubling"},
    WrittenColumn{"gross", "compare",
                  "sum of the sizes of the errors of step, samples, evaluation and fixed time, in "
                  "% of the time"},
    WrittenColumn{"half-width", "validate", "of the 90 % interval, in %"},
    WrittenColumn{"held out %", "scale",
                  "error of the law on larger sizes, that it was not fitted to"},
    WrittenColumn{"hours", "scale", "time of the run"},
    WrittenColumn{"in", "list plan", "precision, or the unit"},
    WrittenColumn{"in 50 %", "validate", "share of rows inside their 50 % interval"},
    WrittenColumn{"in 90 %", "validate compare", "share of rows inside their 90 % interval"},
    WrittenColumn{"50 %", "validate", "range of half of the outcomes"},
    WrittenColumn{"80 %", "validate", "range of 80 % of the outcomes"},
    WrittenColumn{"90 %", "predict scale step validate", "range of 90 % of the outcomes"},
    WrittenColumn{"J/sample", "step predict", "energy of a sample, facility included"},
    WrittenColumn{"launches %", "scale", "work of each pass, whatever its samples, in a step"},
    WrittenColumn{"limited by", "scale", "what of a step takes most beside useful work"},
    WrittenColumn{"linear", "compare", "error of linear scaling from one node, in %"},
    WrittenColumn{"mean", "compare validate", "of the errors, without sign, in %"},
    WrittenColumn{"mean %", "validate", "of the errors, without sign"},
    WrittenColumn{"median", "compare validate", "of the errors, without sign, in %"},
    WrittenColumn{"median %", "validate", "of the errors, without sign"},
    WrittenColumn{"memory %", "scale", "of the accelerator's that the most loaded rank takes"},
    WrittenColumn{"farthest off", "compare validate", "rows with the greatest errors"},
    WrittenColumn{"GB/s", "collective", "bus bandwidth, as nccl-tests defines it"},
    WrittenColumn{"published", "compare", "minutes to train"},
    WrittenColumn{"similar us", "collective", "time of similar published systems"},
    WrittenColumn{"time / expected", "collective", "measured time over the expected one"},
    WrittenColumn{"minutes", "predict scale", "time of the run; in longer ones hours or days"},
    WrittenColumn{"moves with one row left out", "scale",
                  "of the knee, without each row of the fit"},
    WrittenColumn{"ms", "predict step", "time of the part of a step, in milliseconds"},
    WrittenColumn{"N (between)", "scale",
                  "accelerators, and where between the sizes the knee lies"},
    WrittenColumn{"off by %", "scale", "mean error of the law on the sizes that it was fitted to"},
    WrittenColumn{"one step", "predict step", "part of the step"},
    WrittenColumn{"parameters, 90 %", "scale", "of the law, with their intervals"},
    WrittenColumn{"pred.", "compare validate", "predicted"},
    WrittenColumn{"printed", "study", "by the study"},
    WrittenColumn{"publ.", "compare", "published"},
    WrittenColumn{"reference min", "study", "time to train of the reference"},
    WrittenColumn{"samples a replica and pass", "scale", "the micro-batch"},
    WrittenColumn{"samples/s", "step predict scale", "that the whole job trains"},
    WrittenColumn{"simulated", "predict", "without the overrun of published runs"},
    WrittenColumn{"step ms, 90 %", "scale", "range of 90 % of the outcomes of a step"},
    WrittenColumn{"strong: b", "scale", "samples per replica and pass, at one batch for all sizes"},
    WrittenColumn{"target %", "scale", "efficiency in time to the target"},
    WrittenColumn{"the study's table", "study", "where it prints the figure"},
    WrittenColumn{"us", "collective", "time of one call, in microseconds"},
    WrittenColumn{"N", "predict scale step compare", "accelerators"},
    WrittenColumn{"same loss", "predict", "days until the loss that the default batch reaches"},
    WrittenColumn{"waiting %", "step", "share of the step that ranks wait for slower ones"},
    WrittenColumn{"weak: batch", "scale", "samples of a step, at one batch a replica"},
    WrittenColumn{"worst", "compare scale validate", "greatest error, without sign, in %"},
    WrittenColumn{"worst %", "validate", "greatest error, without sign"},
    WrittenColumn{"%", "predict step", "share of the step"}};

}  // namespace

std::span<const WrittenColumn> written_columns() { return written_column_rows; }

}  // namespace glossary
}  // namespace tofn
