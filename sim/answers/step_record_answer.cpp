#include "sim/answers/step_record_answer.hpp"

#include <fmt/format.h>

#include "sim/config/load_record.hpp"
#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/curves/measured_collectives.hpp"
#include "sim/evidence/measured_cluster.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Returns the only such step of a record; InputError if it has none or several.
RecordedStep only_step(const std::string& file, int ranks, std::string_view overlap) {
  const auto steps = recorded_steps(load_record(file), ranks, overlap);
  if (steps.size() == 1) return steps.front();
  throw InputError({file}, "points",
                   fmt::format("hold {} finished steps on {} with overlap '{}', not one",
                               steps.size(), counted(ranks, "rank"), overlap));
}

RecordedStep step_alone(const std::string& file) {
  RecordedStep step = only_step(file, 1, "compute");
  if (step.device != "cpu")
    throw InputError(
        {file}, "device",
        "is '" + step.device +
            "'; only steps on CPUs are scaled, where MPI moves nothing beside products");
  return step;
}

CostCurve all_reduce_on(int ranks, const std::string& name, const std::filesystem::path& configs) {
  const CollectiveCalibration calibration = find_calibration(configs, name);
  auto found = MeasuredCollectives(calibration.tables).find(CollectiveKind::AllReduce, ranks, 1);
  if (!found)
    throw InputError({name}, "tables",
                     fmt::format("have no all-reduce of {} ranks on one node", ranks));
  return std::move(found->curve);
}

std::vector<RecordedStep> measured_steps(const std::string& file, int ranks,
                                         const RecordedStep& alone) {
  std::vector<RecordedStep> steps;
  for (const std::string_view overlap : reduction_overlaps) {
    steps.push_back(only_step(file, ranks, overlap));
    if (steps.back().problem != alone.problem)
      throw InputError({file}, "parameters", "are not those of the step on one rank");
  }
  return steps;
}

}  // namespace

double ScaledRun::error(std::size_t overlap) const {
  return 100 * (predicted.times.total / measured[overlap].time - 1);
}

Seconds ScaledRun::part(StepPart which) const {
  return predicted.times.parts[static_cast<std::size_t>(which)];
}

std::vector<ScaledRun> step_record_answer(const StepRecords& request, int ranks,
                                          const std::filesystem::path& configs) {
  std::vector<ScaledRun> runs;
  for (std::size_t i = 0; i < request.records.size(); ++i) {
    ScaledRun run{.alone = step_alone(request.records[i]), .predicted = {}, .measured = {}};
    run.predicted =
        scale_step(run.alone, ranks, all_reduce_on(ranks, request.calibrations[i], configs));
    if (!request.measured.empty())
      run.measured = measured_steps(request.measured[i], ranks, run.alone);
    runs.push_back(std::move(run));
  }
  return runs;
}

}  // namespace answers
}  // namespace tofn
