#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "sim/answers/predict_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/config/library.hpp"
#include "sim/options/command_line.hpp"
#include "sim/options/option_values.hpp"

namespace tofn {
inline namespace app {

/// Table that csv and json contain (`--table`).
enum class PredictTable { Points, Phases, Stages, Passes, Spans };
inline constexpr std::array<std::pair<std::string_view, PredictTable>, 5> predict_tables{
    {{"points", PredictTable::Points},
     {"phases", PredictTable::Phases},
     {"stages", PredictTable::Stages},
     {"passes", PredictTable::Passes},
     {"spans", PredictTable::Spans}}};

namespace option {
inline constexpr OptionOf<PredictTable> predict_table{
    {.name = "table",
     .help = "content of csv and json: points, phases of a run, or of one N's step stages, passes "
             "or spans",
     .default_text = "points"},
    choice<predict_tables>};
inline constexpr AnyOption same_loss{
    "same-loss",
    "if tofn chooses the batch, train the samples that reach the loss of the default "
    "batch, as `plan` does",
    Takes::Nothing};
inline constexpr OptionOf<int> runs{{.name = "runs",
                                     .help = "runs of a workload, whose olympic mean is predicted",
                                     .default_text = "10"},
                                    whole<>};
}  // namespace option

/// Rows of `tofn predict` for all kinds of job. Options that a job does not have are refused with
/// the reason.
CommandOptions predict_rows();
CommandLine predict_command_line();

/// Prints a run of either kind: its text and one of its tables, or what `--sensitivity` or
/// `--next-measurement` asks of it. `price_deviation`: as of `requested_price_deviation`.
CommandAnswer printed_run(const options::variables_map&, PredictTable, const PredictAnswer&,
                          double price_deviation);

/// Adds what `--sensitivity` or `--next-measurement` asks of the only point to the answer, whose
/// rows it replaces; false if neither is given.
bool add_uncertainty(const options::variables_map&, const std::vector<RunPoint>&,
                     const KernelProfile&, double price_deviation, CommandAnswer&);
/// Name of the job and of the cluster. InputError with an example if it was not given.
std::string needed_job(const options::variables_map&);
std::string needed_cluster(const options::variables_map&);

/// Deviation of the price that `--measurement-of cost` adds; 0 for the time. InputError if the
/// option is given without `--next-measurement`, or if no price is known.
double requested_price_deviation(const options::variables_map&, const Cluster&,
                                 const ExpenseOptions&, const Library&);

/// Predicts runs of a workload and of a model.
CommandAnswer predict_workload(const options::variables_map&);
CommandAnswer predict_model(const options::variables_map&);

}  // namespace app
}  // namespace tofn
