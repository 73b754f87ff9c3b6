#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tofn/question.hpp"

// The commands of `tofn` as functions. Names, files and options are those of the command line, as
// `tofn help COMMAND` shows them. All throw Error.

namespace tofn {

/// Step, run, energy and cost of a workload, model or run (or its file) on N accelerators of a
/// cluster: a row for each N.
Answer predict(const std::string& job, const std::string& cluster, const Options& = {});

/// A training step, simulated from dimensions, plan and cluster: a row for each N.
Answer step(const std::string& job, const std::string& cluster, const Options& = {});

/// Scaling of a job over sizes; `table` selects points, laws, knees or left-out.
Answer scale(const std::string& job, const std::string& cluster, const Options& = {});

/// The machines to rent, how many, and how to split the run over them. A cluster is `dgx-h100`, or
/// `dgx-h100:64` with a stock of 64; without clusters, every one with a price is tried.
Answer plan(const std::string& model, const std::vector<std::string>& clusters,
            const Options& = {});

/// Every point of a sweep, given as a name of `tofn list sweeps` or a .yaml file.
Answer sweep(const std::string& sweep, const Options& = {});
/// Every point of a sweep, given as the text of its YAML; errors name the file `sweep.yaml`.
Answer sweep_text(const std::string& yaml, const Options& = {});

/// Time of one collective by each algorithm and protocol: {{"ranks", 64}, {"size", "25MiB"}}.
Answer collective(const std::string& cluster, const Options&);

/// Writes the calibration file `output` from logs of collectives, or of training steps with
/// {{"steps", LOGS}}.
Answer calibrate(const std::vector<std::string>& files, const std::string& output,
                 const Options& = {});

/// Errors of predictions on held-out measurements: `steps`, `published`, `collectives`, ...
Answer validate(const std::string& what, const std::vector<std::string>& files = {},
                const Options& = {});

/// Every published run beside its prediction.
Answer compare(const Options& = {});

/// Names of one kind: `clusters`, `models`, `figures`, ...; if `what` is empty, the number of each
/// kind.
Answer list(const std::string& what = {}, const Options& = {});

/// `2.0.0 (COMMIT)`
std::string version();

}  // namespace tofn
