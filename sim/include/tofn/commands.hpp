#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tofn/question.hpp"

// The commands of `tofn` as functions. Names, files and options are those of the command line, as
// `tofn help COMMAND` shows them. All throw Error.

namespace tofn {

/// Step, run, energy and cost of a workload, model or run (or its file) on N accelerators of a
/// cluster: a row each N.
Answer predict(const std::string& job, const std::string& cluster, const Options& = {});

/// A training step simulated from dimensions, plan and cluster: a row each N.
Answer step(const std::string& job, const std::string& cluster, const Options& = {});

/// Scaling of a job over sizes; `table` chooses points, laws, knees or left-out.
Answer scale(const std::string& job, const std::string& cluster, const Options& = {});

/// What to rent, how much of it and how to split the run over it: `dgx-h100`, or `dgx-h100:64` of a
/// stock; without clusters all that have a price are tried.
Answer plan(const std::string& model, const std::vector<std::string>& clusters,
            const Options& = {});

/// Every point of a grid: a name of `tofn list sweeps`, or a .yaml file.
Answer sweep(const std::string& sweep, const Options& = {});
/// The same of a sweep's YAML as text; mistakes are told of `sweep.yaml`.
Answer sweep_text(const std::string& yaml, const Options& = {});

/// The time of one collective by each algorithm and protocol: {{"ranks", 64}, {"size", "25MiB"}}.
Answer collective(const std::string& cluster, const Options&);

/// Logs of collectives, or with {{"steps", LOGS}} of training, to the calibration file `output`.
Answer calibrate(const std::vector<std::string>& files, const std::string& output,
                 const Options& = {});

/// How far off predictions are of what is held back: `steps`, `published`, `collectives`, ...
Answer validate(const std::string& what, const std::vector<std::string>& files = {},
                const Options& = {});

/// Every published run beside its prediction.
Answer compare(const Options& = {});

/// What is known: `clusters`, `models`, `figures`, ... ; empty: how many of each.
Answer list(const std::string& what = {}, const Options& = {});

/// `2.0.0 (COMMIT)`
std::string version();

}  // namespace tofn
